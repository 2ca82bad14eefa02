package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.io.FileIo;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What curl makes of it. */
@EnabledOnOs(OS.LINUX)
class WebCurlTest {

    private final byte[] bytes = RandomBytes.of(21, 3_000_000);

    @TempDir
    private Path directory;
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        Files.write(root.resolve("file.bin"), bytes);
        Files.writeString(root.resolve("small.txt"), "small");
        Files.createFile(root.resolve("empty"));
        Files.createDirectory(root.resolve("sub dir"));
        Files.writeString(root.resolve("sub dir/index.html"), "<p>index");
        Files.writeString(directory.resolve("secret"), "secret");
        Files.createSymbolicLink(root.resolve("leak"), directory.resolve("secret"));
        Files.createSymbolicLink(root.resolve("inside"), root.resolve("small.txt"));
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_QUICK)
    void fetchesFilesWhicheverWayTheyTravel(WebDriver driver) throws Exception {
        for (FileIo way : driver.fileIo()) {
            try (WebSample web = WebSample.serve(root, driver, "--file-io", way.toString())) {
                assertEquals("small 200 small 200  200 <p>index 200 <p>index 200 ", web.curl("/sub%20dir",
                        "--write-out", " %{http_code} ", "--location", web.url("/small.txt"), web.url("/inside"),
                        web.url("/empty"), web.url("/sub%20dir/")).text());
                // One process for all of them, as it costs more than what it fetches.
                String[] next = {web.url("/file.bin"), "--next", "--silent", "--show-error", "--range"};
                List<String> options = new ArrayList<>();
                for (String range : new String[] {"0-99", "-77", "1000000-2499999", "2999000-"}) {
                    options.addAll(List.of(next));
                    options.addAll(List.of(range, "--write-out", "%{http_code}"));
                }
                ByteArrayOutputStream expected = new ByteArrayOutputStream();
                expected.write(bytes);
                for (int[] part : new int[][] {{0, 100}, {bytes.length - 77, 77}, {1_000_000, 1_500_000},
                    {2_999_000, 1000}}) {
                    expected.write(bytes, part[0], part[1]);
                    expected.write("206".getBytes(US_ASCII));
                }
                assertArrayEquals(expected.toByteArray(),
                        web.curl("/file.bin", options.toArray(String[]::new)).output());
                web.stop();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_QUICK)
    void answersHeadAndConditions(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            String head = web.curl("/file.bin", "--head").text();
            assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
            assertEquals(Integer.toString(bytes.length), field(head, "Content-Length"));
            assertEquals("304", web.status("/file.bin", "--header", "If-None-Match: " + field(head, "ETag")));
            assertEquals("200", web.status("/file.bin", "--header", "If-None-Match: \"another\""));
            assertEquals("304",
                    web.status("/file.bin", "--header", "If-Modified-Since: " + field(head, "Last-Modified")));
            assertEquals("412", web.status("/file.bin", "--header", "If-Match: \"another\""));
            String unsatisfiable = web.curl("/file.bin", "--range", "3000000-", "--include").text();
            assertTrue(unsatisfiable.startsWith("HTTP/1.1 416 "), unsatisfiable);
            assertEquals("bytes */3000000", field(unsatisfiable, "Content-Range"));
            web.stop();
        }
    }

    private static String field(String head, String name) {
        Matcher field = Pattern.compile("\r\n" + name + ": (.*)\r\n").matcher(head);
        assertTrue(field.find(), () -> "no " + name + " in " + head);
        return field.group(1);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void staysBelowTheRoot(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            for (String path : new String[] {"/../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret",
                "/sub%20dir/../../secret", "/sub%20dir/..%2f..%2fsecret", "//../secret", "/leak", "/..%00/secret",
                "/..%5csecret", "/%252e%252e/secret"}) {
                try (HttpClientSocket client = web.connect()) {
                    HttpClientSocket.Received reply = client.get(path).receive();
                    assertTrue(reply.head().matches("(?s)HTTP/1.1 40[04] .*"), () -> path + ": " + reply.head());
                    assertFalse(new String(reply.content(), US_ASCII).endsWith("secret"), path);
                }
            }
            assertEquals("404", web.status("/leak"));
            assertEquals("small", web.curl("/sub%20dir/../small.txt", "--path-as-is").text());
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void refusesContentWithoutLosingTheReply(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            // Small content is read over and the connection goes on; large content is refused before it is sent.
            String connects = web.curl("/small.txt", "--data", "content", "--output", "/dev/null",
                    "--write-out", "%{http_code} %{num_connects} ", web.url("/small.txt")).text();
            assertTrue(connects.startsWith("405 1 "), connects);
            assertEquals("405", web.status("/small.txt", "--data", "content", "--header", "Expect: 100-continue"));
            Path upload = Files.write(directory.resolve("upload"), bytes);
            assertEquals("413", web.status("/small.txt", "--upload-file", upload.toString()));
            assertEquals("413", web.status("/small.txt", "--upload-file", upload.toString(), "--header", "Expect:"));
            // A GET may have content too, which is waited for.
            assertEquals("small", web.curl("/small.txt", "--request", "GET", "--data", "content",
                    "--header", "Expect: 100-continue").text());
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void keepsTheConnection(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            String written = "%{num_connects}:%{http_code} ";
            String counts = web.curl("/nowhere", "--write-out", written, "--output", "/dev/null", web.url("/small.txt"),
                    "--output", "/dev/null", web.url("/file.bin"), "--output", "/dev/null").text();
            assertEquals("1:200 0:200 0:404 ", counts);
            String old = web.curl("/nowhere", "--http1.0", "--include").text();
            assertTrue(old.startsWith("HTTP/1.1 404 Not Found\r\n"), old);
            assertTrue(old.contains("\r\nConnection: close\r\n") && old.contains("There is no such page here"), old);
            assertArrayEquals(bytes, web.curl("/file.bin", "--http1.0").output());
            assertEquals("5", new String(web.curl("/small.txt", "--http1.0", "--header", "Connection: keep-alive",
                    "--output", "/dev/null", "--write-out", "%{size_download}").output(), US_ASCII));
            web.stop();
        }
    }
}
