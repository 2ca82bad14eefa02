package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.Drivers;
import dev.sluice.samples.io.FileIo;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Several ranges by one request: each octet of each part, whichever way it travels. */
@EnabledOnOs(OS.LINUX)
class WebMultipartTest {

    private static final Pattern PART = Pattern.compile("\\r\\nContent-Type: application/octet-stream\\r\\n"
            + "Content-Range: bytes (\\d+)-(\\d+)/(\\d+)\\r\\n\\r\\n");

    private final byte[] bytes = RandomBytes.of(20, 3_000_000);

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        Files.write(root.resolve("file.bin"), bytes);
    }

    /** Of the strategies those that differ in how they send. */
    static Stream<Arguments> ways(TestInfo test) {
        Set<ConcurrencyStrategy> senders = EnumSet.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
                ConcurrencyStrategy.THREAD_PER_CONNECTION, ConcurrencyStrategy.PROACTOR_PER_THREAD,
                ConcurrencyStrategy.CONCURRENT_PROACTOR);
        return Stream.concat(Depth.some(test, Drivers.allTriggers().filter(driver -> senders.contains(driver.get()[0]))
                .flatMap(driver -> Stream.of(FileIo.values()).map(way -> Arguments.of(
                        WebDriver.of((ConcurrencyStrategy) driver.get()[0]), driver.get()[1], way))), 2),
                Depth.some(test, WebDriver.haboobs(), 1)
                        .map(driver -> Arguments.of(driver, Mechanism.AUTO, FileIo.READ)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    @Tag(Depth.IN_QUICK)
    void sendsEachPart(WebDriver driver, String demultiplexer, FileIo way) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer,
                "--file-io", way.toString());
                HttpClientSocket client = web.connect()) {
            // Small ones, one that no buffer holds between them, and one that is longer than what is sent in one step.
            client.get("/file.bin", "Range: bytes=0-9,20-29");
            assertParts(client.receive(), "0-9", "20-29");
            client.get("/file.bin", "Range: bytes=2500000-, 5-5,100000-2000000,-0,50-20049");
            assertParts(client.receive(), "2500000-2999999", "5-5", "100000-2000000", "50-20049");
            // Pipelined, so that a reply that was too long or too short by an octet shows in the next.
            client.send(HttpClientSocket.request("GET", "/file.bin", "Range: bytes=-1,0-0").repeat(3));
            for (int i = 0; i < 3; i++) {
                assertParts(client.receive(), "2999999-2999999", "0-0");
            }
            client.hangUp();
            web.stop();
        }
    }

    private void assertParts(HttpClientSocket.Received reply, String... ranges) {
        assertEquals(206, reply.status(), reply.head());
        Matcher type = Pattern.compile("\r\nContent-Type: multipart/byteranges; boundary=([^\r]+)\r\n")
                .matcher(reply.head());
        assertTrue(type.find(), reply.head());
        String text = new String(reply.content(), ISO_8859_1);
        String delimiter = "--" + type.group(1);
        List<String> found = new ArrayList<>();
        int at = 0;
        while (text.startsWith((at == 0 ? "" : "\r\n") + delimiter + "\r\n", at)) {
            at += delimiter.length() + (at == 0 ? 0 : 2);
            Matcher part = PART.matcher(text).region(at, text.length());
            assertTrue(part.lookingAt(), () -> "no part begins with " + text.substring(part.regionStart(),
                    Math.min(part.regionStart() + 100, text.length())));
            int first = Integer.parseInt(part.group(1));
            int last = Integer.parseInt(part.group(2));
            assertEquals(bytes.length, Integer.parseInt(part.group(3)));
            found.add(first + "-" + last);
            at = part.end() + last - first + 1;
            assertArrayEquals(Arrays.copyOfRange(bytes, first, last + 1),
                    Arrays.copyOfRange(reply.content(), part.end(), at));
        }
        assertEquals("\r\n" + delimiter + "--\r\n", text.substring(at));
        assertEquals(List.of(ranges), found);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void curl(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            byte[] content = web.curl("/file.bin", "--include", "--range", "0-9,20-29").output();
            int end = new String(content, ISO_8859_1).indexOf("\r\n\r\n") + 4;
            head.write(content, 0, end);
            assertParts(new HttpClientSocket.Received(head.toString(ISO_8859_1),
                    Arrays.copyOfRange(content, end, content.length)), "0-9", "20-29");
            assertEquals("200", web.status("/file.bin", "--range", "0-9" + ",20-29".repeat(64)));
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void logsTheOctetsOfTheBody(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--access-log", "-");
                HttpClientSocket client = web.connect()) {
            client.get("/file.bin", "Range: bytes=0-9,20-29");
            int length = client.receive().content().length;
            web.process().output().awaitLine("log line", line -> line.endsWith(" 206 " + length));
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void overlappingRangesYieldNoMoreThanTheFile(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            client.get("/file.bin", "Range: bytes=0-" + ",0-".repeat(60));
            HttpClientSocket.Received reply = client.receive();
            assertEquals(206, reply.status());
            assertArrayEquals(bytes, reply.content());
            client.get("/file.bin", "Range: bytes=0-0" + ",0-0".repeat(2000));
            reply = client.receive();
            assertEquals(200, reply.status());
            assertArrayEquals(bytes, reply.content());
            client.hangUp();
            web.stop();
        }
    }
}
