"""Prices and rounding. Money is an integer of cents; no function here knows the database."""

GROUP_SIZE = 10
GROUP_DISCOUNT = 10  # percent


def trip_fare(legs):
    """The fare of a trip: the sum of its legs."""
    return sum(legs)


def child_fare(cents):
    """Half of a fare, in whole cents. Half a cent is never charged."""
    return round(cents / 2)


def child_trip_fare(legs):
    """Rounded once for the whole trip, not for each leg."""
    return child_fare(trip_fare(legs))


def group_fare(people, cents):
    """Ten or more travel at a discount."""
    if people < GROUP_SIZE:
        return people * cents
    return people * cents * (100 - GROUP_DISCOUNT) // 100
