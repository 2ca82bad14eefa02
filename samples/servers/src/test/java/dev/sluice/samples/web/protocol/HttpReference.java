package dev.sluice.samples.web.protocol;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules of RFC 9112 once more, as plainly as they can be written with all octets at hand: what {@link
 * RequestParser} must come to, in the words of {@link ParserEvents}.
 */
final class HttpReference {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
    private static final Pattern REQUEST_LINE = Pattern.compile("(" + TOKEN + "+) ([^ ]+) HTTP/(\\d)[.](\\d)");
    private static final Pattern TARGET = Pattern.compile("[!-~&&[^#]]+");
    private static final Pattern ABSOLUTE = Pattern.compile("(?i)http://(?=.)([^/?]*)(.*)");
    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "+):[ \t]*(.*?)[ \t]*", Pattern.DOTALL);
    private static final Pattern HOST = Pattern.compile(
            "(?:\\[[0-9A-Fa-f:.]*]|(?:[._~!$&'()*+,;=0-9A-Za-z-]|%[0-9A-Fa-f]{2})*+)(?::[0-9]*)?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern ENCODED = Pattern.compile("(?:[!-~&&[^%\\\\]]|%[0-9A-Fa-f]{2})*+");
    private static final Pattern SLASHES = Pattern.compile("/+");
    private static final Pattern THIS = Pattern.compile("/[.](/|\\z)");
    private static final Pattern PARENT = Pattern.compile("/[.][.](/|\\z)");
    private static final Pattern CHILD_AND_PARENT = Pattern.compile("/[^/]+/[.][.](/|\\z)");
    private static final Pattern TRAILER = Pattern.compile(TOKEN + "+:[^\\x00-\\x08\\x0a-\\x1f\\x7f]*");
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

    /** There is no more to be said of this connection. */
    private static final class End extends Exception {

        private static final long serialVersionUID = 1L;

        End() {
            super(null, null, false, false);
        }
    }

    private final String octets;
    private final Limits limits;
    private final List<String> events = new ArrayList<>();
    private int at;

    private HttpReference(String octets, Limits limits) {
        this.octets = octets;
        this.limits = limits;
    }

    static List<String> events(String octets, Limits limits) {
        HttpReference reference = new HttpReference(octets, limits);
        try {
            while (reference.request()) {
                continue;
            }
        } catch (End e) {
            // All that happened before is what was to be found.
        }
        return reference.events;
    }

    private void require(boolean rule, int status) throws End {
        if (!rule) {
            events.add(Integer.toString(status));
            throw new End();
        }
    }

    private char next() throws End {
        if (at == octets.length()) {
            throw new End();
        }
        return octets.charAt(at++);
    }

    /** Reads one request; tells whether another may follow. */
    private boolean request() throws End {
        String first = line(limits.requestLine(), true);
        if (first.isEmpty()) {
            first = line(limits.requestLine(), true);
        }
        Matcher line = REQUEST_LINE.matcher(first);
        require(line.matches(), 400);
        require(line.group(3).equals("1"), 505);
        String target = line.group(2);
        require(TARGET.matcher(target).matches(), 400);
        boolean served = line.group(1).equals("GET") || line.group(1).equals("HEAD");
        String resource = served ? resource(target) : "*";
        boolean old = line.group(4).equals("0");
        List<String[]> fields = fields(limits.head() - first.length());
        String host = joined(fields, "host");
        require(count(fields, "host") == 1 && HOST.matcher(host).matches() || old && host == null, 400);
        boolean coded = count(fields, "transfer-encoding") > 0;
        int lengths = count(fields, "content-length");
        require(coded ? lengths == 0 && !old : lengths < 2, 400);
        if (coded) {
            coding(joined(fields, "transfer-encoding"));
        }
        int length = lengths == 0 ? 0 : length(joined(fields, "content-length"));
        boolean lasting = !lists(joined(fields, "connection"), "close")
                && (!old || lists(joined(fields, "connection"), "keep-alive"));
        if ((coded || length > 0) && !old && lists(joined(fields, "expect"), "100-continue")) {
            if (!served) {
                complete(line, resource, false);
                return false;
            }
            events.add("100");
        }
        if (coded) {
            new Chunks().read();
        } else if (at + length > octets.length()) {
            throw new End();
        }
        at += length;
        complete(line, resource, lasting);
        return lasting;
    }

    private void complete(Matcher line, String resource, boolean lasting) {
        String method = METHODS.contains(line.group(1)) ? line.group(1) : "UNKNOWN";
        events.add(method + " " + resource + " 1." + (line.group(4).equals("0") ? 0 : 1) + (lasting ? "" : " close"));
    }

    private String line(int limit, boolean first) throws End {
        StringBuilder line = new StringBuilder();
        for (char c = next(); ; c = next()) {
            if (c == '\r') {
                require(next() == '\n', 400);
                return line.toString();
            }
            require(c >= ' ' && c != 0x7F || c == '\t', 400);
            require(line.length() < limit, !first ? 431 : line.indexOf(" ") < 0 ? 501 : 414);
            line.append(c);
        }
    }

    private List<String[]> fields(int limit) throws End {
        List<String[]> fields = new ArrayList<>();
        int left = limit;
        for (String line = line(left, false); !line.isEmpty(); line = line(left, false)) {
            left -= line.length();
            require(fields.size() < limits.fields(), 431);
            Matcher field = FIELD.matcher(line);
            require(field.matches(), 400);
            fields.add(new String[] {field.group(1), field.group(2)});
        }
        return fields;
    }

    private static int count(List<String[]> fields, String name) {
        return (int) fields.stream().filter(field -> field[0].equalsIgnoreCase(name)).count();
    }

    private static String joined(List<String[]> fields, String name) {
        return fields.stream().filter(field -> field[0].equalsIgnoreCase(name)).map(field -> field[1])
                .reduce((one, other) -> one + ", " + other).orElse(null);
    }

    private static boolean lists(String list, String member) {
        return list != null && Arrays.stream(list.split(",")).anyMatch(each -> each.trim().equalsIgnoreCase(member));
    }

    private void coding(String value) throws End {
        List<String> codings = Arrays.stream(value.split(",", -1)).map(String::trim).toList();
        List<String> others = codings.subList(0, codings.size() - 1);
        require(codings.get(others.size()).equalsIgnoreCase("chunked")
                && others.stream().noneMatch(each -> each.isEmpty() || each.equalsIgnoreCase("chunked")), 400);
        require(others.isEmpty(), 501);
    }

    private int length(String value) throws End {
        require(NUMBER.matcher(value).matches(), 400);
        BigInteger length = new BigInteger(value);
        require(length.compareTo(BigInteger.valueOf(limits.content())) <= 0, 413);
        return length.intValue();
    }

    private String resource(String target) throws End {
        Matcher absolute = ABSOLUTE.matcher(target);
        String resource = target;
        if (absolute.matches()) {
            String host = absolute.group(1);
            require(!host.isEmpty() && !host.startsWith(":") && HOST.matcher(host).matches(), 400);
            resource = absolute.group(2);
        } else {
            require(target.startsWith("/"), 400);
        }
        int query = resource.indexOf('?');
        String path = query < 0 ? resource : resource.substring(0, query);
        return path(path) + (query < 0 ? "" : resource.substring(query));
    }

    /** The path of a file, or null; the argument is empty or begins with a slash. */
    static String path(String encoded) {
        if (!ENCODED.matcher(encoded).matches()) {
            return null;
        }
        StringBuilder octets = new StringBuilder();
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                c = (char) Integer.parseInt(encoded.substring(i + 1, i + 3), 16);
                i += 2;
                if (c < ' ' || c == '/' || c == '\\' || c == 0x7F) {
                    return null;
                }
            }
            octets.append(c);
        }
        byte[] utf8 = octets.toString().getBytes(StandardCharsets.ISO_8859_1);
        String path = new String(utf8, StandardCharsets.UTF_8);
        return Arrays.equals(path.getBytes(StandardCharsets.UTF_8), utf8) ? withoutDots(path) : null;
    }

    private static String withoutDots(String path) {
        String rest = path.isEmpty() ? "/" : path;
        for (String last = null; !rest.equals(last);) {
            last = rest;
            rest = THIS.matcher(SLASHES.matcher(rest).replaceAll("/")).replaceFirst("/");
        }
        while (PARENT.matcher(rest).find()) {
            if (rest.startsWith("/../") || rest.equals("/..")) {
                return null;
            }
            rest = CHILD_AND_PARENT.matcher(rest).replaceFirst("/");
        }
        return rest;
    }

    /** RFC 9112 section 7.1; the limit counts every octet of it, and an announced chunk as soon as it is announced. */
    private final class Chunks {

        private static final Pattern RETURN = Pattern.compile("\r");
        private static final Pattern FEED = Pattern.compile("\n");
        private static final Pattern DIGIT = Pattern.compile("[0-9A-Fa-f]");
        private static final Pattern AFTER_DIGIT = Pattern.compile("[0-9A-Fa-f \t;\r]");
        private static final Pattern BLANK = Pattern.compile("[ \t;]");
        private static final Pattern TEXT = Pattern.compile("[^\\x00-\\x08\\x0a-\\x0c\\x0e-\\x1f\\x7f]");
        private static final Pattern TRAILER_START = Pattern.compile("\r|" + TOKEN);
        private static final Pattern TRAILER_NAME = Pattern.compile(":|" + TOKEN);

        private int left = limits.content();
        private BigInteger size = BigInteger.ZERO;

        void read() throws End {
            for (size(); size.signum() > 0; size()) {
                left -= size.intValue();
                at += size.intValue();
                if (at > octets.length()) {
                    throw new End();
                }
                expect(RETURN);
                expect(FEED);
            }
            trailers();
        }

        /** An octet of the framing, which must be one of those that the expression matches. */
        private char expect(Pattern expected) throws End {
            if (at == octets.length()) {
                throw new End();
            }
            require(--left >= 0, 413);
            char c = next();
            require(expected.matcher(Character.toString(c)).matches(), 400);
            return c;
        }

        private void announced() throws End {
            require(size.compareTo(BigInteger.valueOf(left)) <= 0, 413);
        }

        private void size() throws End {
            size = BigInteger.ZERO;
            char c = expect(DIGIT);
            while (Character.digit(c, 16) >= 0) {
                size = size.shiftLeft(4).add(BigInteger.valueOf(Character.digit(c, 16)));
                announced();
                c = expect(AFTER_DIGIT);
            }
            announced();
            while (c == ' ' || c == '\t') {
                c = expect(BLANK);
                announced();
            }
            while (c != '\r') {
                c = expect(TEXT);
                announced();
            }
            expect(FEED);
            announced();
        }

        private void trailers() throws End {
            while (true) {
                char c = expect(TRAILER_START);
                if (c == '\r') {
                    expect(FEED);
                    return;
                }
                StringBuilder line = new StringBuilder();
                boolean named = false;
                for (; c != '\r'; c = expect(named ? TEXT : TRAILER_NAME)) {
                    line.append(c);
                    named |= c == ':';
                }
                if (!TRAILER.matcher(line).matches()) {
                    throw new AssertionError(line.toString());
                }
                expect(FEED);
            }
        }
    }
}
