package dev.sluice.samples.logging;

/** The two ways a syslog record says when. */
final class Timestamps {

    /** Octets of {@code Mmm dd hh:mm:ss}. */
    static final int RFC3164_LENGTH = 15;

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int MAX_FRACTION_DIGITS = 6;

    private Timestamps() {
    }

    /** Whether the range is, as a whole, a timestamp after RFC 5424 section 6.2.3 (not NILVALUE). */
    static boolean isRfc5424(byte[] array, int start, int end) {
        if (end - start < 20 || !isDate(array, start) || array[start + 10] != 'T' || !isTime(array, start + 11)) {
            return false;
        }
        int at = start + 19;
        if (array[at] == '.') {
            int fraction = ++at;
            while (at < end && isDigit(array[at])) {
                at++;
            }
            if (at == fraction || at - fraction > MAX_FRACTION_DIGITS) {
                return false;
            }
        }
        if (end - at == 1) {
            return array[at] == 'Z';
        }
        return end - at == 6 && (array[at] == '+' || array[at] == '-') && isHourAndMinute(array, at + 1);
    }

    /** Whether a timestamp after RFC 3164 section 4.1.2 begins here. */
    static boolean startsRfc3164(byte[] array, int at, int end) {
        if (end - at < RFC3164_LENGTH || !isMonthName(array, at) || array[at + 3] != ' ' || array[at + 6] != ' ') {
            return false;
        }
        int day = array[at + 4] == ' ' && isDigit(array[at + 5]) ? array[at + 5] - '0' : twoDigits(array, at + 4);
        return day >= 1 && day <= 31 && isTime(array, at + 7);
    }

    private static boolean isDate(byte[] array, int at) {
        int century = twoDigits(array, at);
        int yearOfCentury = twoDigits(array, at + 2);
        int month = twoDigits(array, at + 5);
        int day = twoDigits(array, at + 8);
        return century >= 0 && yearOfCentury >= 0 && array[at + 4] == '-' && array[at + 7] == '-'
                && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, 100 * century + yearOfCentury);
    }

    /** Second 60 is no second: RFC 5424 section 6.2.3 excludes leap seconds. */
    private static boolean isTime(byte[] array, int at) {
        return isHourAndMinute(array, at) && array[at + 5] == ':' && isUpTo(59, twoDigits(array, at + 6));
    }

    private static boolean isHourAndMinute(byte[] array, int at) {
        return isUpTo(23, twoDigits(array, at)) && array[at + 2] == ':' && isUpTo(59, twoDigits(array, at + 3));
    }

    private static boolean isMonthName(byte[] array, int at) {
        for (int i = 0; i < MONTHS.length(); i += 3) {
            if (array[at] == MONTHS.charAt(i) && array[at + 1] == MONTHS.charAt(i + 1)
                    && array[at + 2] == MONTHS.charAt(i + 2)) {
                return true;
            }
        }
        return false;
    }

    private static int daysIn(int month, int year) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** The number, or -1 when either octet is no digit. */
    private static int twoDigits(byte[] array, int at) {
        return isDigit(array[at]) && isDigit(array[at + 1]) ? 10 * (array[at] - '0') + (array[at + 1] - '0') : -1;
    }

    private static boolean isUpTo(int max, int number) {
        return number >= 0 && number <= max;
    }

    private static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }
}
