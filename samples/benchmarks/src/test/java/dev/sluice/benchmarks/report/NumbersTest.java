package dev.sluice.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As many digits as say something. */
class NumbersTest {

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"0;0", "0.00001;0", "-0.00001;0", "0.0123;0.012", "0.3;0.300", "1;1.00",
        "9.994;9.99", "12.34;12.3", "99.96;100.0", "123.4;123", "999.7;1,000", "1234;1,234", "9999.6;10,000",
        "56123;56,120", "1234567;1,235,000", "-2.5;-2.50"})
    void showsMeasuredValues(double value, String shown) {
        assertEquals(shown, Numbers.shown(value));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"0;0", "0.3;0.300", "105.2;105", "9994;9,994", "9995;10.0 k", "336000;336 k",
        "999499;999 k", "999500;1.00 M", "5020000;5.02 M", "442100000;442 M"})
    void abbreviatesMeasuredValues(double value, String shown) {
        assertEquals(shown, Numbers.brief(value));
    }

    @ParameterizedTest
    @CsvSource({"0.0123,0.012", "0.5,0.50", "1,1.00", "13.25,13.3", "123.4,123"})
    void showsRatios(double ratio, String shown) {
        assertEquals(shown, Numbers.ratio(ratio));
    }
}
