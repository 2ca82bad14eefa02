package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.samples.io.Logging;
import dev.sluice.samples.io.Throttling;
import dev.sluice.samples.web.files.CacheStrategy;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.FileEntry;
import dev.sluice.samples.web.files.FileOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineTest {

    private static final int ATTEMPTS = 100;

    private static final Instant NOW = Instant.ofEpochSecond(784_111_777, 500_000_000);
    private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String MODIFIED = "Sun, 06 Nov 1994 08:49:07 GMT";
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:06 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:08 GMT";

    @TempDir
    Path directory;

    private Path root;
    private Path file;
    private CachedFileSystem files;
    private Pipeline pipeline;
    private final Reply reply = new Reply();

    @BeforeEach
    void layOut() throws IOException {
        root = Files.createDirectories(directory.resolve("root"));
        file = root.resolve("a.txt");
        Files.writeString(file, "0123456789");
        Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(30)));
        Files.createDirectories(root.resolve("dir"));
        Files.writeString(root.resolve("dir/index.html"), "<p>index");
        Files.createFile(root.resolve("empty"));
        Files.writeString(directory.resolve("secret"), "secret");
        files = new CachedFileSystem(new DocumentRoot(root), FileOptions.of(CacheStrategy.LRU, 10, Duration.ZERO));
        pipeline = pipeline(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private Pipeline pipeline(Clock clock, Filter... more) {
        HttpClock time = new HttpClock(clock);
        List<Filter> filters = new ArrayList<>(List.of(new ConditionalRequests(time), new RangeRequests(time)));
        filters.addAll(List.of(more));
        return new Pipeline(time, new MethodDispatch(new FileHandler(files, false), null, false), filters);
    }

    @AfterEach
    void close() {
        files.close();
    }

    private Exchange request(String line, String... fields) throws IOException {
        String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        return Exchange.of(pipeline, reply, line + " HTTP/1.1\r\nHost: a\r\n" + more + "\r\n");
    }

    private String tag() throws IOException {
        return request("GET /a.txt").fields().get("ETag");
    }

    @Test
    void aFile() throws IOException {
        Exchange exchange = request("GET /a.txt?query");
        assertEquals(200, exchange.status());
        assertEquals("0123456789", exchange.body());
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("Date", DATE);
        expected.put("Server", "Sluice");
        expected.put("Content-Type", "text/plain; charset=utf-8");
        expected.put("Content-Length", "10");
        expected.put("Last-Modified", MODIFIED);
        expected.put("ETag", tag());
        expected.put("Accept-Ranges", "bytes");
        assertEquals(expected, exchange.fields());
        assertTrue(tag().matches("\"[0-9a-f]+-a-[0-9a-f]+-[0-9a-f]+\""), tag());
    }

    /** Refuses each request, with this answer unless it is null. */
    private Exchange refused(Status answer) throws IOException {
        Filter filter = new Filter() {
            @Override
            public boolean admit(Request request, Reply described) {
                if (answer != null) {
                    described.answer(answer);
                }
                return false;
            }

            @Override
            public void apply(Request request, Reply described) {
                // It has refused it.
            }
        };
        pipeline = pipeline(Clock.fixed(NOW, ZoneOffset.UTC), new GuardedFilter("the filter", "gate", filter));
        return request("GET /a.txt");
    }

    @Test
    void filterThatRefusesWithoutAnAnswerHasFailed() throws IOException {
        Exchange exchange = refused(null);
        assertEquals(500, exchange.status());
        assertTrue(exchange.persistent());
    }

    /** It knows the client's copy, and there is no file. */
    @Test
    void filterAnswersThatNothingIsModified() throws IOException {
        Exchange exchange = refused(Status.NOT_MODIFIED);
        assertEquals("304 ", exchange.status() + " " + exchange.body());
        assertEquals(List.of("Date", "Server"), List.copyOf(exchange.fields().keySet()));
    }

    private Exchange filtered(Filter filter, String line) throws IOException {
        pipeline = pipeline(Clock.fixed(NOW, ZoneOffset.UTC), new GuardedFilter("the filter", "echo", filter));
        return request(line);
    }

    private static void assertFailed(Exchange exchange) {
        assertEquals(500, exchange.status());
        assertTrue(exchange.persistent());
        assertEquals(List.of("Date", "Server", "Content-Type", "Content-Length"),
                List.copyOf(exchange.fields().keySet()));
    }

    /** Of the two characters in the second path, the last eight bits are CR and LF. */
    @Test
    void pathInAFieldSplitsNoReply() throws IOException {
        Filter echo = (request, answer) -> answer.field("X-Path", request.path());
        assertEquals("/a.txt", filtered(echo, "GET /a.txt").fields().get("X-Path"));
        assertFailed(filtered(echo, "GET /%C4%8D%C4%8AX:y"));
    }

    @Test
    void filterThatLeavesWhatNoHeadMayHaveHasFailed() throws IOException {
        List<Filter> wrong = new ArrayList<>();
        for (String text : Arrays.asList(null, "a\r\nX: y", "a\r", "a\n", "\0", "\u007f", "\u00e9", "\u010a")) {
            wrong.add((request, answer) -> answer.field("X-Filter", text));
            wrong.add((request, answer) -> answer.field(text, "value"));
            wrong.add((request, answer) -> answer.answer(text, new byte[1]));
        }
        wrong.add((request, answer) -> answer.field("", "value"));
        wrong.add((request, answer) -> answer.close());
        for (Filter each : wrong) {
            assertFailed(filtered(each, "GET /a.txt"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a.txt", "/dir/", "/dir", "/none", "/..", "/empty"})
    void headIsGetWithoutContent(String path) throws IOException {
        Exchange get = request("GET " + path);
        Exchange head = request("HEAD " + path);
        assertEquals("", head.body());
        assertEquals(get.fields(), head.fields());
        assertEquals(get.status(), head.status());
        assertEquals(Integer.toString(get.body().length()), head.fields().get("Content-Length"));
    }

    @ParameterizedTest
    @CsvSource({"GET /dir/,200", "GET /dir/index.html,200", "GET /dir,301", "GET /dir/.,200", "GET /,404",
        "GET /a.txt/,404", "GET /a.txt/b,404", "GET /none,404", "GET /../secret,400", "GET /%2e%2e/secret,400",
        "GET /..%2fsecret,400", "GET /%252e%252e/secret,404", "GET /dir/../../secret,400", "GET /a.txt%00,400",
        "GET http://b/a.txt,200", "POST /a.txt,405", "OPTIONS *,204", "PUT /a.txt,405", "TRACE /,405",
        "BREW /a.txt,501", "get /a.txt,501"})
    void statuses(String line, int status) throws IOException {
        Exchange exchange = request(line);
        assertEquals(status, exchange.status());
        assertTrue(exchange.persistent());
        assertFalse(exchange.body().contains("secret"));
        assertEquals(status == 405 || status == 204 ? "GET, HEAD, OPTIONS" : null, exchange.fields().get("Allow"));
    }

    @ParameterizedTest
    @CsvSource({"/dir,/dir/", "//dir,/dir/", "/x/..//dir?q=%2F,/dir/?q=%2F", "/dir/../dir?,/dir/?"})
    void aDirectoryIsSomewhereElse(String target, String location) throws IOException {
        assertEquals(location, request("GET " + target).fields().get("Location"));
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1,,true,", "HTTP/1.1,close,false,close", "HTTP/1.0,,false,close",
        "HTTP/1.0,keep-alive,true,keep-alive", "HTTP/1.0,'keep-alive, close',false,close"})
    void persistence(String version, String connection, boolean persistent, String answer) throws IOException {
        String field = connection == null ? "" : "Connection: " + connection + "\r\n";
        Exchange exchange = Exchange.of(pipeline, reply, "GET /a.txt " + version + "\r\nHost: a\r\n" + field + "\r\n");
        assertEquals(persistent, exchange.persistent());
        assertEquals(answer, exchange.fields().get("Connection"));
    }

    @ParameterizedTest
    @CsvSource({"bytes=2-4,206,234,bytes 2-4/10", "bytes=-3,206,789,bytes 7-9/10", "bytes=8-99,206,89,bytes 8-9/10",
        "'bytes=0-3,2-5',206,012345,bytes 0-5/10", "'bytes=99-,1-1',206,1,bytes 1-1/10",
        "'bytes=0-0,4-2',200,0123456789,", "bytes=4-2,200,0123456789,", "lines=1-2,200,0123456789,"})
    void ranges(String range, int status, String body, String contentRange) throws IOException {
        Exchange exchange = request("GET /a.txt", "Range: " + range);
        assertEquals(status, exchange.status());
        assertEquals(body, exchange.body());
        assertEquals(Integer.toString(body.length()), exchange.fields().get("Content-Length"));
        assertEquals(contentRange, exchange.fields().get("Content-Range"));
        Exchange head = request("HEAD /a.txt", "Range: " + range);
        assertEquals(200, head.status());
        assertEquals("10", head.fields().get("Content-Length"));
    }

    @Test
    void severalRanges() throws IOException {
        Exchange exchange = request("GET /a.txt", "Range: bytes=7-8, 0-2,99-,-1");
        assertEquals(206, exchange.status());
        assertNull(exchange.fields().get("Content-Range"), "of the whole");
        String type = exchange.fields().get("Content-Type");
        String form = "multipart/byteranges; boundary=";
        assertTrue(type.startsWith(form), type);
        String boundary = type.substring(form.length());
        assertTrue(boundary.matches("[0-9a-f-]{30,70}"), boundary);
        String part = "Content-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ";
        assertEquals("--" + boundary + "\r\n" + part + "7-8/10\r\n\r\n78\r\n"
                + "--" + boundary + "\r\n" + part + "0-2/10\r\n\r\n012\r\n"
                + "--" + boundary + "\r\n" + part + "9-9/10\r\n\r\n9\r\n"
                + "--" + boundary + "--\r\n", exchange.body());
        assertEquals(Integer.toString(exchange.body().length()), exchange.fields().get("Content-Length"));
        assertEquals("0123456789", request("GET /a.txt").body(), "with the same reply");
        assertEquals(200, request("GET /a.txt", "Range: bytes=0-0,2-2", "If-Range: \"x\"").status());
        Exchange head = request("HEAD /a.txt", "Range: bytes=0-0,2-2");
        assertEquals("10", head.fields().get("Content-Length"));
        assertEquals(416, request("GET /a.txt", "Range: bytes=10-,20-30").status());
    }

    @Test
    void aRangeBehindTheEnd() throws IOException {
        Exchange exchange = request("GET /a.txt", "Range: bytes=10-");
        assertEquals(416, exchange.status());
        assertEquals("bytes */10", exchange.fields().get("Content-Range"));
    }

    @ParameterizedTest
    @CsvSource({"TAG,206", "W/TAG,200", "\"x\",200", "*,200", "'" + MODIFIED + "',206", "'" + BEFORE + "',200",
        "'" + AFTER + "',200", "'TAG, TAG',200"})
    void ifRange(String validator, int status) throws IOException {
        assertEquals(status, request("GET /a.txt", "Range: bytes=0-1", "If-Range: " + filled(validator)).status());
    }

    @Test
    void ifRangeWithADateWhoseSecondIsNotOver() throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(NOW));
        assertEquals(200, request("GET /a.txt", "Range: bytes=0-1", "If-Range: " + DATE).status());
    }

    private String filled(String value) throws IOException {
        return value.replace("TAG", tag());
    }

    /** Columns as in RFC 9110 section 13.2.2: If-Match, If-Unmodified-Since, If-None-Match, If-Modified-Since. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", quoteCharacter = '`', delimiter = ';', value = {
        "*;-;-;-;200", "TAG;-;-;-;200", "\"x\", TAG;-;-;-;200", "W/TAG;-;-;-;412", "\"x\";-;-;-;412", "x;-;-;-;412",
        "-;DATE;-;-;200", "-;LATER;-;-;200", "-;EARLIER;-;-;412", "-;never;-;-;200", "TAG;EARLIER;-;-;200",
        "\"x\";LATER;-;-;412",
        "-;-;*;-;304", "-;-;TAG;-;304", "-;-;W/TAG;-;304", "-;-;\"x\",TAG;-;304", "-;-;\"x\";-;200", "-;-;x;-;200",
        "-;-;-;DATE;304", "-;-;-;LATER;304", "-;-;-;EARLIER;200", "-;-;-;never;200", "-;-;\"x\";DATE;200",
        "-;-;TAG;EARLIER;304",
        "\"x\";-;TAG;-;412", "TAG;-;TAG;-;304", "-;EARLIER;TAG;-;412", "-;LATER;\"x\";DATE;200", "TAG;-;-;DATE;304"})
    void preconditions(String match, String unmodifiedSince, String noneMatch, String modifiedSince, int status)
            throws IOException {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("If-Modified-Since", modifiedSince);
        conditions.put("If-None-Match", noneMatch);
        conditions.put("If-Unmodified-Since", unmodifiedSince);
        conditions.put("If-Match", match);
        conditions.values().removeIf(value -> value == null);
        String tag = tag();
        String[] fields = conditions.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue()
                .replace("TAG", tag).replace("DATE", MODIFIED).replace("LATER", AFTER).replace("EARLIER", BEFORE))
                .toArray(String[]::new);
        for (String method : new String[] {"GET", "HEAD"}) {
            Exchange exchange = request(method + " /a.txt", fields);
            assertEquals(status, exchange.status());
            if (status == 304) {
                assertEquals(Map.of("Date", DATE, "Server", "Sluice", "ETag", tag), exchange.fields());
                assertEquals("", exchange.body());
            }
        }
        assertEquals(404, request("GET /none", fields).status());
    }

    @Test
    void aConditionGoesBeforeTheRange() throws IOException {
        assertEquals(304, request("GET /a.txt", "If-None-Match: " + tag(), "Range: bytes=0-1").status());
        assertEquals(412, request("GET /a.txt", "If-Match: \"x\"", "Range: bytes=99-").status());
    }

    @Test
    void aFileFromTheFutureWasModifiedNow() throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(NOW.plusSeconds(3600)));
        assertEquals(DATE, request("GET /a.txt").fields().get("Last-Modified"));
        assertEquals(200, request("GET /a.txt", "If-Modified-Since: " + DATE).status());
    }

    @Test
    void anEmptyFile() throws IOException {
        Exchange exchange = request("GET /empty", "Range: bytes=-5");
        assertEquals(200, exchange.status());
        assertEquals("0", exchange.fields().get("Content-Length"));
    }

    @Test
    void whatTheFieldsOfAMessageCannotForge() throws IOException {
        Files.createDirectory(root.resolve("a b\u00e9\""));
        assertEquals("/a%20b%C3%A9%22/", request("GET /a%20b%C3%A9%22").fields().get("Location"));
        assertEquals(400, request("GET /dir%0d%0aX:y").status());
    }

    @ParameterizedTest
    @EnumSource(value = Status.class, names = {"OK", "NO_CONTENT", "PARTIAL_CONTENT", "NOT_MODIFIED"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyErrorHasAPage(Status status) {
        String page = new String(status.page(), US_ASCII);
        assertTrue(page.contains("<title>" + status.code() + " ") && page.contains("<p>"), page);
        assertFalse(page.contains("%"), page);
    }

    @Test
    void refusalsCloseTheConnection() throws IOException {
        Exchange refused = Exchange.of(pipeline, reply, "GET /\r\n");
        assertEquals(400, refused.status());
        assertFalse(refused.persistent());
        assertTrue(refused.body().contains("Bad Request"));
        pipeline.refuse(Status.REQUEST_TIMEOUT, new RequestParser(Limits.DEFAULT).request(), reply);
        assertEquals(408, reply.status().code());
        assertFalse(reply.isPersistent());
    }

    @Test
    void aReplyHoldsItsFileUntilItIsClosedOrReused() throws IOException {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        parser.parse(ByteBuffer.wrap("GET /a.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII)));
        pipeline.respond(parser.request(), reply);
        var held = reply.file();
        files.close();
        assertTrue(held.file().handle().isOpen());
        reply.continueRequest();
        assertNull(reply.status());
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", US_ASCII.decode(reply.head()).toString());
        assertNull(reply.file());
        assertFalse(held.file().handle().isOpen());
    }

    @Test
    void filtersWorkOneAfterTheOther() throws IOException {
        List<String> seen = new ArrayList<>();
        Filter head = (request, answer) -> {
            seen.add("head of " + answer.status());
            answer.field("X-Filter", "yes");
        };
        Filter body = (request, answer) -> {
            seen.add("body of " + answer.status());
            if (answer.isFile() && request.query().equals("?gone")) {
                answer.answer(Status.NOT_FOUND);
            }
        };
        Pipeline stacked = pipeline(Clock.fixed(NOW, ZoneOffset.UTC), head, body);
        String end = " HTTP/1.0\r\n\r\n";
        Exchange kept = Exchange.of(stacked, reply, "GET /a.txt" + end);
        assertEquals(200, kept.status());
        assertEquals("yes", kept.fields().get("X-Filter"));
        Exchange replaced = Exchange.of(stacked, reply, "GET /a.txt?gone" + end);
        assertEquals(404, replaced.status());
        assertNull(replaced.fields().get("X-Filter"), "belongs to the reply that is not sent");
        assertEquals(400, Exchange.of(stacked, reply, "GET\r\n").status(), "refusals go through them, too");
        assertEquals("[head of OK, body of OK, head of OK, body of OK, head of BAD_REQUEST, body of BAD_REQUEST]",
                seen.toString());
    }

    /** Conditions before ranges, as the RFC has it, or after them; those on the way anywhere. */
    @Test
    void theOrderOfAStackCountsForThoseThatWorkOnReplies() throws IOException {
        HttpClock time = new HttpClock(Clock.fixed(NOW, ZoneOffset.UTC));
        String tag = tag();
        Files.write(root.resolve("a.txt.gz"), new byte[20]);
        List<Filter> all = List.of(new ConditionalRequests(time), new RangeRequests(time),
                new TransferOnlyFilter(new Throttling(1)), new TransferOnlyFilter(new Logging()),
                new ContentCodings(files));
        int stacks = 0;
        for (List<Filter> stack : orders(all)) {
            stacks++;
            Pipeline stacked = new Pipeline(time, new FileHandler(files, false), stack);
            boolean conditionsFirst = stack.indexOf(all.get(0)) < stack.indexOf(all.get(1));
            assertEquals(conditionsFirst ? 304 : 206, status(stacked, "Range: bytes=2-4", "If-None-Match: " + tag));
            assertEquals("234", reply(stacked, "Range: bytes=2-4").body());
            // A coding is another representation wherever it stands, because it is selected first.
            Exchange coded = reply(stacked, "Range: bytes=0-1", "Accept-Encoding: gzip", "If-None-Match: " + tag);
            assertEquals(206, coded.status());
            assertEquals("gzip", coded.fields().get("Content-Encoding"));
        }
        assertEquals(120, stacks);
    }

    private static List<List<Filter>> orders(List<Filter> filters) {
        List<List<Filter>> orders = new ArrayList<>();
        orders.add(List.of());
        for (Filter filter : filters) {
            List<List<Filter>> longer = new ArrayList<>();
            for (List<Filter> order : orders) {
                for (int at = 0; at <= order.size(); at++) {
                    List<Filter> one = new ArrayList<>(order);
                    one.add(at, filter);
                    longer.add(one);
                }
            }
            orders = longer;
        }
        return orders;
    }

    private Exchange reply(Pipeline some, String... fields) throws IOException {
        return Exchange.of(some, reply, "GET /a.txt HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", fields)
                + "\r\n\r\n");
    }

    private int status(Pipeline some, String... fields) throws IOException {
        return reply(some, fields).status();
    }

    @Test
    void filtersThatHaveNothingToDoAllocateNothing() throws IOException {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        parser.parse(ByteBuffer.wrap("GET /a.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII)));
        // The cache looks at the file at each lookup here, so the handler is not asked again.
        HttpClock time = new HttpClock(Clock.fixed(NOW, ZoneOffset.UTC));
        var file = assertInstanceOf(FileEntry.class, files.lookup("/a.txt"));
        RequestHandler handler = (request, answer) -> {
            file.retain();
            answer.answer(file);
        };
        Pipeline without = new Pipeline(time, handler, List.of());
        Pipeline with = new Pipeline(time, handler, List.of(new ContentCodings(files), new ConditionalRequests(time),
                new RangeRequests(time), new TransferOnlyFilter(new Throttling(1)),
                new TransferOnlyFilter(new Logging())));
        long bare = Long.MAX_VALUE;
        long filtered = Long.MAX_VALUE;
        // What either allocates depends on what has been compiled, and how; until that has settled, on luck.
        for (int attempt = 0; attempt < ATTEMPTS && (attempt == 0 || filtered > bare); attempt++) {
            bare = Math.min(bare, allocated(without, parser.request()));
            filtered = Math.min(filtered, allocated(with, parser.request()));
        }
        assertTrue(filtered <= bare, filtered + " octets per reply instead of " + bare);
        reply.close();
        file.release();
    }

    private long allocated(Pipeline some, Request request) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 10_000;
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < rounds; i++) {
            some.respond(request, reply);
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / rounds;
    }

    @Test
    void theDateFollowsTheClock() throws IOException {
        Pipeline ticking = pipeline(Clock.systemUTC());
        long before = System.currentTimeMillis() / 1000;
        String date = Exchange.of(ticking, reply, "GET /a.txt HTTP/1.0\r\n\r\n").fields().get("Date");
        long seconds = HttpDate.parse(date, 0);
        assertTrue(seconds >= before - 1 && seconds <= System.currentTimeMillis() / 1000, date);
    }
}
