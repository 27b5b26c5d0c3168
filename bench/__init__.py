"""Everything that is measured, played against others, tuned or learned."""
