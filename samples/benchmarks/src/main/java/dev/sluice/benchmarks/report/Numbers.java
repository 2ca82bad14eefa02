package dev.sluice.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them: with as many digits as say something. */
final class Numbers {

    private static final int MAX_DECIMALS = 3;
    private static final int DIGITS = 3;
    private static final int THOUSAND = 1_000;
    private static final int MILLION = 1_000_000;
    private static final int MIN_ABBREVIATED = 10_000;

    private Numbers() {
    }

    /** {@return a measured value: three digits, from a thousand on four, but no more than three after the point} */
    static String shown(double value) {
        if (Math.abs(value) >= 1000) {
            double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - DIGITS);
            return String.format(Locale.ROOT, "%,d", unit > 1 ? Math.round(Math.round(value / unit) * unit)
                    : Math.round(value));
        }
        int before = Math.abs(value) < 1 ? 0 : (int) Math.floor(Math.log10(Math.abs(value))) + 1;
        String text = String.format(Locale.ROOT, "%,." + Math.min(Math.max(DIGITS - before, 0), MAX_DECIMALS) + "f",
                value);
        return isZero(text) ? "0" : text;
    }

    // Nothing is shown for less than nothing, either.
    private static boolean isZero(String text) {
        return text.chars().noneMatch(digit -> digit > '0' && digit <= '9');
    }

    /** {@return a measured value where space is scarce: three digits, from ten thousand on in thousands or millions} */
    static String brief(double value) {
        double rounded = new BigDecimal(value).round(new MathContext(DIGITS)).doubleValue();
        if (Math.abs(rounded) >= MILLION) {
            return shown(rounded / MILLION) + " M";
        }
        return Math.abs(rounded) >= MIN_ABBREVIATED ? shown(rounded / THOUSAND) + " k" : shown(value);
    }

    /** {@return a number that has one digit other than zero} */
    static String round(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%,.0f", value)
                : new BigDecimal(value, new MathContext(1)).toPlainString();
    }

    /** {@return a ratio} */
    static String ratio(double ratio) {
        if (ratio >= 100) {
            return String.format(Locale.ROOT, "%,.0f", ratio);
        }
        String form = ratio >= 10 ? "%.1f" : ratio < 0.1 ? "%.3f" : "%.2f";
        return String.format(Locale.ROOT, form, ratio);
    }

    /** {@return a share as a percentage} */
    static String percentage(double share) {
        return Math.round(share * 100) + " %";
    }
}
