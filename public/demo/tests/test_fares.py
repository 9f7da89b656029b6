import unittest

from harbour.fares import child_fare, child_trip_fare, group_fare, trip_fare


class FareTest(unittest.TestCase):
    def test_trip_is_the_sum_of_its_legs(self):
        self.assertEqual(trip_fare([1250, 890]), 2140)

    def test_child_pays_half(self):
        self.assertEqual(child_fare(2400), 1200)

    def test_child_fare_rounds_down(self):
        self.assertEqual(child_fare(1275), 637)

    def test_child_fare_rounds_once_per_trip(self):
        self.assertEqual(child_trip_fare([1275, 625]), 950)

    def test_group_of_nine_pays_in_full(self):
        self.assertEqual(group_fare(9, 1000), 9000)

    def test_group_of_ten_gets_the_discount(self):
        self.assertEqual(group_fare(10, 1000), 9000)


if __name__ == "__main__":
    unittest.main()
