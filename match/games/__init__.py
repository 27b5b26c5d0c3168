"""The games of a match: schedule, adjudication, the referee, and the engines that play."""
