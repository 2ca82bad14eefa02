package dev.sluice.samples.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing that is added waits for a destination that has stopped taking lines. */
@Tag(Depth.IN_QUICK)
class DroppingLineWriterTest implements DroppingLineWriter.LossListener {

    private static final Duration LIMIT = Patience.LIMIT;

    private final StringBuffer written = new StringBuffer();
    private final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
    private final Semaphore held = new Semaphore(0);
    private final Semaphore begun = new Semaphore(0);
    private volatile IOException failure;
    private volatile int partial;
    private volatile boolean scarce;

    /** Takes lines when it is allowed to. */
    private final class Held implements LineDestination {

        @Override
        public void write(ByteBuffer lines) throws IOException {
            begun.release();
            held.acquireUninterruptibly();
            if (scarce) {
                throw new OutOfMemoryError("in a test");
            }
            IOException thrown = failure;
            int amount = thrown == null ? lines.remaining() : partial;
            byte[] octets = new byte[amount];
            lines.get(octets);
            written.append(new String(octets, UTF_8));
            if (thrown != null) {
                throw thrown;
            }
        }

        @Override
        public void close() throws IOException {
            losses.add("closed");
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Override
    public void failed(long lines, IOException cause) {
        losses.add("failed " + lines + " " + cause.getMessage());
    }

    @Override
    public String resumed(long lines) {
        losses.add("resumed " + lines);
        return lines + " are missing";
    }

    private DroppingLineWriter writer(int capacity) {
        return new DroppingLineWriter("test", new Held(), capacity, this);
    }

    private static boolean add(DroppingLineWriter writer, String lines) {
        return writer.add(ByteBuffer.wrap(lines.getBytes(UTF_8)));
    }

    private String loss() throws InterruptedException {
        return losses.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void countsWhatItDropsAndSaysSoWhereItIsMissing() throws Exception {
        DroppingLineWriter writer = writer(12);
        add(writer, "first\n");
        begun.acquire();
        add(writer, "a\nb\n");
        add(writer, "too long\nfor it\n");
        add(writer, "c\n");
        add(writer, "again\ntoo long\n");
        held.release(Integer.MAX_VALUE / 2);
        writer.flush(LIMIT);
        add(writer, "last\n");
        assertEquals(0, writer.close(LIMIT));
        assertEquals("first\na\nb\nc\n4 are missing\nlast\n", written.toString());
        assertEquals(List.of("resumed 4", "closed"), List.copyOf(losses));
    }

    @Test
    void goesOnWhenThereIsMemoryAgain() throws Exception {
        DroppingLineWriter writer = writer(100);
        held.release(Integer.MAX_VALUE / 2);
        scarce = true;
        add(writer, "a\nb\n");
        writer.flush(LIMIT);
        scarce = false;
        add(writer, "last\n");
        assertEquals(0, writer.close(LIMIT));
        assertEquals("last\n2 are missing\n", written.toString());
        assertEquals(List.of("resumed 2", "closed"), List.copyOf(losses));
    }

    @Test
    void countsWhatFailsAndBeginsALineAfterIt() throws Exception {
        failure = new IOException("full");
        partial = 3;
        held.release(2);
        DroppingLineWriter writer = writer(100);
        add(writer, "a\nbc\nd\n");
        assertEquals("failed 2 full", loss());
        partial = 0;
        add(writer, "e\n");
        writer.flush(LIMIT);
        failure = null;
        held.release(Integer.MAX_VALUE / 2);
        add(writer, "f\n");
        assertEquals(0, writer.close(LIMIT));
        assertEquals("a\nb\nf\n3 are missing\n", written.toString());
        assertEquals("resumed 3", loss());
    }

    @Test
    void closesWithoutADestinationThatIsStuck() throws Exception {
        DroppingLineWriter writer = writer(10);
        add(writer, "a\nb\n");
        begun.acquire();
        add(writer, "c\n");
        add(writer, "too long for it\n");
        assertEquals(4, writer.close(Duration.ofMillis(50)));
        assertFalse(add(writer, "d\n"));
        held.release(Integer.MAX_VALUE / 2);
        assertEquals("resumed 1", loss());
        assertEquals("closed", loss(), "its thread goes on alone");
        assertEquals("a\nb\nc\n1 are missing\n", written.toString());
    }

    @Test
    void throwsWhatTheCloseThrows() {
        held.release(Integer.MAX_VALUE / 2);
        DroppingLineWriter writer = writer(10);
        failure = new IOException("late");
        assertEquals("late", assertThrows(IOException.class, () -> writer.close(LIMIT)).getMessage());
    }

    /** Standard error is a pipe that is not read. */
    @Test
    void standardErrorNeverBlocksAndEscapesControls() throws Exception {
        Pipe pipe = Pipe.open();
        DroppingLineWriter writer = StandardError.newWriter(new ConsoleDestination(pipe.sink()));
        PrintStream errors = StandardError.to(writer);
        errors.println("an \u001b[31mattack\u009b31m\r\tand \u202e its\nend\u0085 \u00e4");
        String line = "x".repeat(1000);
        int count = 4000;
        for (int i = 0; i < count; i++) {
            errors.println(line);
        }
        assertFalse(errors.checkError());
        List<String> read = read(pipe, writer);
        assertEquals("an #033[31mattack#302#23331m#015\tand #342#200#256 its", read.get(0));
        assertTrue(read.get(1).startsWith("end#302#205 "), read.get(1));
        String last = read.get(read.size() - 1);
        int rest = read.size() - 3;
        assertEquals("[" + (count - rest) + " lines dropped here: standard error was blocked]", last);
        assertTrue(rest >= 1000 && rest < count, () -> rest + " lines");
        assertTrue(read.subList(2, read.size() - 1).stream().allMatch(line::equals), "none is cut");
    }

    private static List<String> read(Pipe pipe, DroppingLineWriter writer) throws Exception {
        Thread closer = new Thread(() -> {
            try {
                writer.close(LIMIT);
                pipe.sink().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        closer.start();
        try (InputStream in = Channels.newInputStream(pipe.source())) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        } finally {
            closer.join();
        }
    }
}
