"""Where long work runs: processes of this machine, or a Dask cluster."""
