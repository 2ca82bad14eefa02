package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.FuzzTarget;
import dev.sluice.samples.web.files.ContentCoding;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Values inside of a request: each input is taken for each of them. */
final class HttpValues implements FuzzTarget {

    private static final long LAST = LocalDateTime.of(9999, 12, 31, 23, 59, 59).toEpochSecond(ZoneOffset.UTC);
    private static final long FIRST = LocalDateTime.of(0, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC);
    private static final long NOW = LocalDateTime.of(2026, 6, 1, 0, 0).toEpochSecond(ZoneOffset.UTC);
    private static final DateTimeFormatter PREFERRED = formatter("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
    /** What is read of the three forms, without the name of the day, which is not checked. */
    private static final DateTimeFormatter READ = formatter("dd MMM uuuu HH:mm:ss");
    private static final Pattern FORM_1 =
            Pattern.compile("[A-Z][a-z]{2}, (\\d\\d) (...) (\\d{4}) (\\d\\d:\\d\\d:\\d\\d) GMT");
    private static final Pattern FORM_2 =
            Pattern.compile("[A-Z][a-z]{5,8}, (\\d\\d)-(...)-(\\d\\d) (\\d\\d:\\d\\d:\\d\\d) GMT");
    private static final Pattern FORM_3 =
            Pattern.compile("[A-Z][a-z]{2} (...) ([ \\d]\\d) (\\d\\d:\\d\\d:\\d\\d) (\\d{4})");
    private static final Pattern PATH = Pattern.compile("/[!-~]*");
    private static final Pattern TAG = Pattern.compile("\\G[ \t,]*(W/)?(\"[^\"]*\")", Pattern.DOTALL);

    private static final Pattern MEMBER =
            Pattern.compile("[^;]*(;[\\x00- ]*[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)[\\x00- ]*)?", Pattern.DOTALL);

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US).withResolverStyle(ResolverStyle.STRICT);
    }

    @Override
    public void check(byte[] input) {
        String value = new String(input, ISO_8859_1);
        assertEquals(date(value), HttpDate.parse(value, NOW));
        formattedDate(input);
        path(value);
        acceptEncoding(value);
        for (String tag : new String[] {"\"a\"", "\"\"", "\"5f-1\""}) {
            assertEquals(hasTag(value, tag, true), EntityTags.match(value, tag, true));
            assertEquals(hasTag(value, tag, false), EntityTags.match(value, tag, false));
        }
    }

    private static long date(String value) {
        Matcher first = FORM_1.matcher(value);
        if (first.matches()) {
            return seconds(first.group(1), first.group(2), first.group(3), first.group(4));
        }
        Matcher second = FORM_2.matcher(value);
        if (second.matches()) {
            // At most 50 years ahead of 2026.
            int year = 2000 + Integer.parseInt(second.group(3));
            return seconds(second.group(1), second.group(2), "" + (year > 2076 ? year - 100 : year), second.group(4));
        }
        Matcher third = FORM_3.matcher(value);
        return third.matches()
                ? seconds(third.group(2).replace(' ', '0'), third.group(1), third.group(4), third.group(3))
                : HttpDate.NONE;
    }

    private static long seconds(String day, String month, String year, String time) {
        // HTTP knows leap seconds, java.time does not.
        boolean leap = time.endsWith(":60");
        String text = day + " " + month + " " + year + " " + (leap ? time.substring(0, 6) + "59" : time);
        try {
            return LocalDateTime.parse(text, READ).toEpochSecond(ZoneOffset.UTC) + (leap ? 1 : 0);
        } catch (DateTimeException e) {
            return HttpDate.NONE;
        }
    }

    private static void formattedDate(byte[] input) {
        long octets = ByteBuffer.wrap(Arrays.copyOf(input, Long.BYTES)).getLong();
        long seconds = FIRST + Math.floorMod(octets, LAST - FIRST + 1);
        String text = new String(HttpDate.format(seconds), US_ASCII);
        assertEquals(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC).format(PREFERRED), text);
        assertEquals(seconds, HttpDate.parse(text, NOW));
    }

    private static void path(String value) {
        if (PATH.matcher(value).matches()) {
            byte[] octets = value.getBytes(ISO_8859_1);
            String path = TargetPath.decode(octets, 0, octets.length);
            assertEquals(HttpReference.path(value), path);
            if (path != null) {
                assertTrue(path.startsWith("/") && !(path + "/").contains("/../") && !path.contains("\0"), path);
                byte[] again = TargetPath.encode(path).getBytes(ISO_8859_1);
                assertEquals(path, TargetPath.decode(again, 0, again.length));
            }
        }
    }

    private static void acceptEncoding(String value) {
        AcceptEncoding read = AcceptEncoding.read(value);
        boolean valid = Stream.of(value.split(",")).allMatch(member -> MEMBER.matcher(member.trim()).matches());
        assertEquals(valid, read != null, value);
        if (read != null) {
            for (ContentCoding coding : ContentCoding.values()) {
                assertTrue(read.weight(coding) >= 0 && read.weight(coding) <= 1000, value);
            }
        }
    }

    private static boolean hasTag(String list, String tag, boolean weak) {
        if (list.equals("*")) {
            return true;
        }
        Matcher each = TAG.matcher(list);
        while (each.find()) {
            if (each.group(2).equals(tag) && (weak || each.group(1) == null)) {
                return true;
            }
        }
        return false;
    }
}
