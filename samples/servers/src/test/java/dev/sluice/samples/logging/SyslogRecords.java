package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.FuzzTarget;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A record without its framing: understood as the grammar of RFC 5424 has it, and written as one line. */
final class SyslogRecords implements FuzzTarget {

    private static final String UNPRINTABLE =
            "[\\p{Cc}\\p{Zl}\\p{Zp}\\x{61C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]";
    private static final String DATE_AND_TIME =
            "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:[.]\\d{1,6})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
    private static final String SD_NAME = "[!-~&&[^=\\]\"]]{1,32}+";
    private static final String SD_ELEMENT =
            "\\[" + SD_NAME + "(?: " + SD_NAME + "=\"(?:[^\"\\]\\\\]|\\\\.)*+\")*+]";
    private static final Pattern PRIORITY = Pattern.compile("<(0|[1-9]\\d{0,2})>(.*)", Pattern.DOTALL);
    private static final Pattern CLAIM = Pattern.compile("1(?: |\\z)");
    private static final Pattern RFC5424 = Pattern.compile("1 (-|" + DATE_AND_TIME + ") ([!-~]{1,255}) ([!-~]{1,48})"
            + " ([!-~]{1,128}) ([!-~]{1,32}) (-|(?:" + SD_ELEMENT + ")++)(?: (?:\u00ef\u00bb\u00bf)?+(.*))?",
            Pattern.DOTALL);
    private static final Pattern RFC3164 = Pattern.compile("(" + DATE_AND_TIME + "|"
            + "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?: [1-9]|0[1-9]|[12]\\d|3[01])"
            + " (?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d)(?: |\\z)"
            + "(?:([!-~]{1,255})(?<!:) )?"
            + "(?:([!-~&&[^:\\[]]{1,48})(?:\\[([!-~&&[^\\]]]{1,128})]:?|:) ?)?(.*)", Pattern.DOTALL);

    /** Of the fields in their order, the groups of the two expressions, and 0 for none. */
    private static final int[] GROUPS_5424 = {1, 3, 4, 5, 6, 7, 8};
    private static final int[] GROUPS_3164 = {1, 3, 4, 5, 0, 0, 6};

    private final SyslogParser parser = new SyslogParser();

    @Override
    public void check(byte[] input) {
        byte[] around = new byte[input.length + 9];
        Arrays.fill(around, (byte) '7');
        System.arraycopy(input, 0, around, 5, input.length);
        SyslogRecord record = parser.parse(around, 5, input.length);
        String text = new String(input, ISO_8859_1);

        Matcher priority = PRIORITY.matcher(text);
        if (!priority.matches() || Integer.parseInt(priority.group(1)) > 191) {
            malformed(record);
        } else if (CLAIM.matcher(priority.group(2)).lookingAt()) {
            Matcher grammar = RFC5424.matcher(priority.group(2));
            if (grammar.matches() && isDate(grammar.group(2))) {
                same(record, SyslogFormat.RFC5424, priority.group(1), grammar, GROUPS_5424);
            } else {
                malformed(record);
            }
        } else {
            Matcher reading = RFC3164.matcher(priority.group(2));
            if (reading.matches() && isDate(reading.group(2))) {
                same(record, SyslogFormat.RFC3164, priority.group(1), reading, GROUPS_3164);
            } else {
                assertEquals(SyslogFormat.RFC3164, record.format());
                assertEquals(priority.group(2), octets(record, SyslogField.MESSAGE));
            }
        }
        line(input);
    }

    private static boolean isDate(String text) {
        try {
            return text == null || LocalDateTime.parse(text, DateTimeFormatter.ISO_LOCAL_DATE_TIME) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static void malformed(SyslogRecord record) {
        assertEquals(SyslogFormat.MALFORMED, record.format());
        assertTrue(record.reason() != null && record.facility() == -1 && record.severity() == -1);
        for (SyslogField field : SyslogField.values()) {
            assertNull(record.text(field));
        }
    }

    private static void same(SyslogRecord record, SyslogFormat format, String priority, Matcher grammar, int[] groups) {
        assertEquals(format, record.format(), record::reason);
        assertNull(record.reason());
        assertEquals(Integer.parseInt(priority), 8 * record.facility() + record.severity());
        for (SyslogField field : SyslogField.values()) {
            int group = groups[field.ordinal()];
            String expected = group == 0 ? null : grammar.group(group);
            boolean nil = format == SyslogFormat.RFC5424 && field != SyslogField.MESSAGE && "-".equals(expected);
            assertEquals(nil ? null : expected, octets(record, field), field.name());
        }
    }

    private static String octets(SyslogRecord record, SyslogField field) {
        return record.has(field)
                ? new String(record.array(), record.start(field), record.length(field), ISO_8859_1) : null;
    }

    private static void line(byte[] input) {
        ByteBuffer line = ByteBuffer.allocate(LogLine.length(input, 0, input.length));
        LogLine.put(input, 0, input.length, line);
        assertEquals(0, line.remaining());
        StringBuilder expected = new StringBuilder();
        for (int at = 0; at < input.length; at++) {
            int length = character(input, at);
            if (length == 0) {
                expected.append('#').append(Integer.toOctalString(01000 + (input[at] & 0xFF)), 1, 4);
            } else {
                expected.append(new String(input, at, length, ISO_8859_1));
                at += length - 1;
            }
        }
        assertEquals(expected.append('\n').toString(), new String(line.array(), ISO_8859_1));
    }

    /** {@return the octets of the character that begins here, by Java's own decoder; 0 if none may be written} */
    private static int character(byte[] input, int at) {
        for (int length = 1; length <= Math.min(4, input.length - at); length++) {
            try {
                String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(input, at, length)).toString();
                return text.matches(UNPRINTABLE) ? 0 : length;
            } catch (CharacterCodingException e) {
                // More of it, or no text.
                continue;
            }
        }
        return 0;
    }
}
