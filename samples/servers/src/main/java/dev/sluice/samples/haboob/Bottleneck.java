package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.handle.FileHandle;
import dev.sluice.samples.web.protocol.Request;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The paper's bottleneck (5.1.4): opens a file, reads it and computes a sum, repeatedly, until that has cost the
 * configured processor time. The reply has 8 KiB. It uses processor time and not elapsed time, so that more threads
 * than processors do not make it cheaper.
 */
final class Bottleneck implements DynamicPage, Closeable {

    private static final int SIZE = 8 * 1024;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Path file;
    private final long cost;

    /** Creates its file. */
    Bottleneck(Duration cost) throws IOException {
        this.cost = cost.toNanos();
        file = Files.createTempFile("sluice-", ".bottleneck");
        byte[] octets = new byte[SIZE];
        ThreadLocalRandom.current().nextBytes(octets);
        Files.write(file, octets);
    }

    @Override
    public String path() {
        return "/bottleneck";
    }

    @Override
    public Content make(Request request) throws IOException {
        long end = now() + cost;
        ByteBuffer octets = ByteBuffer.allocate(SIZE);
        int rounds = 0;
        long sum = 0;
        do {
            rounds++;
            sum += sum(octets.clear());
        } while (now() < end);
        byte[] page = new byte[SIZE];
        Arrays.fill(page, (byte) ' ');
        byte[] line = ("rounds " + rounds + " sum " + sum + "\n").getBytes(US_ASCII);
        System.arraycopy(line, 0, page, 0, line.length);
        return new Content("text/plain; charset=us-ascii", page);
    }

    private long sum(ByteBuffer octets) throws IOException {
        try (FileHandle opened = FileHandle.open(file)) {
            opened.read(octets, 0);
        }
        long sum = 0;
        for (int i = 0; i < octets.position(); i++) {
            sum += octets.get(i);
        }
        return sum;
    }

    private static long now() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
