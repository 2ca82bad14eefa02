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
 * than processors do not make it cheaper. Or it does so a given number of times, as the system does not tell the
 * processor time of a virtual thread. It may wait as well, as for another server.
 */
public final class Bottleneck implements DynamicPage, Closeable {

    /** The length of the page, in octets. */
    public static final int SIZE = 8 * 1024;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Path file;
    private final Work work;

    /**
     * What a page takes.
     *
     * @param cost   the processor time, unless rounds are given
     * @param rounds how often the file is opened, read and summed up; 0 if the time says it
     * @param pause  how long to wait first
     */
    public record Work(Duration cost, int rounds, Duration pause) {

        boolean isDone(int count, long cpuNanos) {
            return rounds > 0 ? count >= rounds : cpuNanos >= cost.toNanos();
        }
    }

    /**
     * Creates its file.
     *
     * @param work what a page takes
     * @throws IOException if the file cannot be written
     */
    public Bottleneck(Work work) throws IOException {
        this.work = work;
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
    public Content make(Request request) throws IOException, InterruptedException {
        return new Content("text/plain; charset=us-ascii", page());
    }

    /**
     * {@return the page}
     *
     * @throws IOException          if the file cannot be read
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public byte[] page() throws IOException, InterruptedException {
        if (!work.pause().isZero()) {
            Thread.sleep(work.pause().toMillis());
        }
        long start = now();
        ByteBuffer octets = ByteBuffer.allocate(SIZE);
        int rounds = 0;
        long sum = 0;
        do {
            rounds++;
            sum += sum(octets.clear());
        } while (!work.isDone(rounds, now() - start));
        byte[] page = new byte[SIZE];
        Arrays.fill(page, (byte) ' ');
        byte[] line = ("rounds " + rounds + " sum " + sum + "\n").getBytes(US_ASCII);
        System.arraycopy(line, 0, page, 0, line.length);
        return page;
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

    /** {@return the processor time of this thread; 0 if it is not needed} */
    private long now() {
        if (work.rounds() > 0) {
            return 0;
        }
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
