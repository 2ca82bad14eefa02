package dev.sluice.samples.web.protocol;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HTTP dates, in seconds since 1970 (RFC 9110 section 5.6.7). */
final class HttpDate {

    /** What {@link #parse} says of a text that is no date. */
    static final long NONE = Long.MIN_VALUE;

    /** The seconds of the years that have four digits. */
    private static final long FIRST = -62_167_219_200L;
    private static final long LAST = 253_402_300_799L;

    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private static final String MONTH = "(?<month>" + MONTHS.replaceAll("(...)(?=.)", "$1|") + ")";
    private static final String TIME = "(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)";
    private static final List<Pattern> FORMS = List.of(
            Pattern.compile("[A-Z][a-z]{2}, (?<day>\\d{2}) " + MONTH + " (?<year>\\d{4}) " + TIME + " GMT"),
            Pattern.compile("[A-Z][a-z]{5,8}, (?<day>\\d{2})-" + MONTH + "-(?<year>\\d{2}) " + TIME + " GMT"),
            Pattern.compile("[A-Z][a-z]{2} " + MONTH + " (?<day>[ \\d]\\d) " + TIME + " (?<year>\\d{4})"));

    private HttpDate() {
    }

    /**
     * The 29 octets of the preferred form, as in {@code Sun, 06 Nov 1994 08:49:37 GMT}. What is before the year 0, or
     * after the year 9999, becomes the first or last moment in between.
     */
    static byte[] format(long seconds) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(Math.max(FIRST, Math.min(seconds, LAST)), 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(29);
        int day = 3 * (time.getDayOfWeek().getValue() - 1);
        text.append(DAYS, day, day + 3).append(", ");
        digits(text, time.getDayOfMonth()).append(' ').append(month(time)).append(' ');
        digits(digits(text, time.getYear() / 100), time.getYear() % 100).append(' ');
        time(text, time).append(" GMT");
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static String month(LocalDateTime time) {
        return MONTHS.substring(3 * time.getMonthValue() - 3, 3 * time.getMonthValue());
    }

    static StringBuilder time(StringBuilder text, LocalDateTime time) {
        digits(text, time.getHour()).append(':');
        digits(text, time.getMinute()).append(':');
        return digits(text, time.getSecond());
    }

    static StringBuilder digits(StringBuilder text, int number) {
        return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    /** Reads any of the three forms, of which recipients have to know the obsolete two as well. */
    static long parse(String text, long now) {
        for (Pattern form : FORMS) {
            Matcher matcher = form.matcher(text);
            if (matcher.matches()) {
                return seconds(matcher, now);
            }
        }
        return NONE;
    }

    private static long seconds(Matcher date, long now) {
        int year = Integer.parseInt(date.group("year"));
        if (date.group("year").length() == 2) {
            // A year that seems more than 50 years ahead is the most recent one in the past with these digits.
            int current = LocalDateTime.ofEpochSecond(now, 0, ZoneOffset.UTC).getYear();
            year += current / 100 * 100;
            year -= year > current + 50 ? 100 : 0;
        }
        YearMonth month = YearMonth.of(year, MONTHS.indexOf(date.group("month")) / 3 + 1);
        int day = Integer.parseInt(date.group("day").trim());
        if (!month.isValidDay(day)) {
            return NONE;
        }
        return 86_400 * month.atDay(day).toEpochDay() + 3_600 * Integer.parseInt(date.group("hour"))
                + 60 * Integer.parseInt(date.group("minute")) + Integer.parseInt(date.group("second"));
    }
}
