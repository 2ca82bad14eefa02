package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.io.FileIo;
import dev.sluice.testing.Depth;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that no buffer holds, on the way while others are served, or while they change. */
@EnabledOnOs(OS.LINUX)
class WebLargeFileTest {

    private static final long GIBIBYTE = 1L << 30;
    private static final long LARGE = (8L << 20) + 4095;
    private static final int DOWNLOADS = 4;
    private static final long BEYOND_INT = (2L << 30) + 4096;

    @TempDir
    private Path root;

    /** A file that is mostly holes, with something to recognise at its start, its end and across borders. */
    private Path sparse(long size) throws IOException {
        Path path = root.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(size);
            for (long at : new long[] {0, 65_000, (1 << 18) - 500, size / 2 - 333, size - 1000}) {
                file.seek(at);
                file.write(RandomBytes.of(at, 1000));
            }
        }
        return path;
    }

    /** {@return a checksum and the length} A digest takes a second for what this sums up in a tenth of it. */
    private static byte[] hash(InputStream in) throws Exception {
        CRC32C sum = new CRC32C();
        byte[] piece = new byte[1 << 20];
        long all = 0;
        for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
            sum.update(piece, 0, length);
            all += length;
        }
        return (sum.getValue() + " of " + all).getBytes(US_ASCII);
    }

    private static String hash(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(hash(in), US_ASCII);
        }
    }

    private static String fetchedHash(WebSample web, String target) throws Exception {
        return ExternalProgram.run(List.of("curl", "--silent", "--show-error", "--fail", web.url(target)),
                WebLargeFileTest::hash).text();
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void arrivesWhole(WebDriver driver) throws Exception {
        for (FileIo way : driver.fileIo()) {
            assertArrives(driver, way, LARGE);
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_STRESS)
    void arrivesWholeWhicheverWayItTravels(WebDriver driver) throws Exception {
        for (FileIo way : driver.fileIo()) {
            assertArrives(driver, way, 2 * GIBIBYTE + 4095);
        }
    }

    private void assertArrives(WebDriver driver, FileIo way, long size) throws Exception {
        String expected = hash(sparse(size));
        try (WebSample web = WebSample.serve(root, driver, "--file-io", way.toString())) {
            assertEquals(expected, fetchedHash(web, "/sparse"), way::name);
            web.stop();
        }
        Files.delete(root.resolve("sparse"));
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void countsBeyondAnInt(WebDriver driver) throws Exception {
        sparse(BEYOND_INT);
        String expected = new String(hash(new ByteArrayInputStream(RandomBytes.of(BEYOND_INT - 1000, 1000))),
                US_ASCII);
        for (FileIo way : driver.fileIo()) {
            try (WebSample web = WebSample.serve(root, driver, "--file-io", way.toString())) {
                ExternalProgram last = ExternalProgram.run(List.of("curl", "--silent", "--range", "-1000",
                        web.url("/sparse")), WebLargeFileTest::hash);
                assertEquals(expected, last.text(), way::name);
                web.stop();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void doesNotKeepOthersWaiting(WebDriver driver) throws Exception {
        sparse(GIBIBYTE / 32);
        Files.writeString(root.resolve("small"), "small");
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            List<Background<Long>> downloads = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(DOWNLOADS);
            for (int i = 0; i < DOWNLOADS; i++) {
                downloads.add(Background.run(() -> {
                    try (HttpClientSocket large = web.connect()) {
                        large.get("/sparse", "Connection: close").receiveHead();
                        begun.countDown();
                        return large.input().transferTo(OutputStream.nullOutputStream());
                    }
                }));
            }
            assertTrue(begun.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
            int served = 0;
            while (!downloads.stream().allMatch(Background::isDone)) {
                assertEquals("small", new String(client.get("/small").receive().content(), US_ASCII));
                served++;
            }
            for (Background<Long> download : downloads) {
                assertEquals(GIBIBYTE / 32, download.result());
            }
            // A server that sends a file as long as its client takes it would let hardly one through.
            assertTrue(served > DOWNLOADS, served + " requests were served meanwhile");
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void cutsTheConnectionWhenTheFileIsCut(WebDriver driver) throws Exception {
        for (FileIo way : driver.fileIo()) {
            Path file = sparse(GIBIBYTE / 16);
            try (WebSample web = WebSample.serve(root, driver, "--file-io", way.toString());
                    HttpClientSocket client = new HttpClientSocket(web.address(), 8 * 1024)) {
                String head = client.get("/sparse").receiveHead();
                assertTrue(head.contains("Content-Length: " + GIBIBYTE / 16 + "\r\n"), head);
                // Much smaller than what is on its way, and no multiple of a page.
                try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                    cut.setLength(100);
                }
                long received = client.input().transferTo(OutputStream.nullOutputStream());
                assertNotEquals(GIBIBYTE / 16, received, way::name);
                client.hangUp();
                web.process().errors().awaitLine("complaint", line -> line.contains("has been truncated"));
                assertEquals("404", web.status("/nowhere"));
                web.process().stop();
                String errors = web.process().errors().text();
                assertFalse(errors.contains("did not finish"), errors);
            }
        }
    }
}
