package dev.sluice.samples.compare;

import dev.sluice.samples.compare.protocol.RequestHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * A service that costs as much CPU as the request specifies: it processes that number of {@linkplain #UNIT units} of
 * memory. The work is counted, and not the time, so that a disturbed request does as much as any other.
 *
 * <p>The work is a CRC, because a virtual machine has machine code for it from the start. A loop in Java costs ten and
 * more times as much until it has been compiled, at a time that depends on the load of the machine: its cost could be
 * measured only in a process that has run for long, and would be wrong for one that has just started.
 */
final class BusyWork implements RequestHandler {

    /** The length of the content of requests and responses, in bytes. */
    static final int CONTENT = 64;

    private static final int UNIT = 256;
    private static final int BLOCK_UNITS = 256;
    /** Read only, and by all threads. Small enough to stay in the cache, and for no call to be worth mentioning. */
    private static final byte[] BLOCK = new byte[BLOCK_UNITS * UNIT];
    private static final ThreadLocal<CRC32> CHECKSUMS = ThreadLocal.withInitial(CRC32::new);

    /** Some microseconds. */
    private static final int LONG_UNITS = 4 * BLOCK_UNITS;

    private static final int SAMPLES = 100;
    private static final int SAMPLE_UNITS = 64 * BLOCK_UNITS;
    /** The best of all may be the clock's own error, as virtual machines have it. */
    private static final int CHOSEN_SAMPLE = SAMPLES / 10;
    private static final double TOLERANCE = 0.05;
    private static final int MAX_SERIES = 100;
    private static final double NANOS_PER_MICRO = 1e3;

    /** Does as many units as the first int of the request says, and sends it back with the result in their place. */
    @Override
    public void handleRequest(ByteBuffer request, ByteBuffer response) {
        int units = request.getInt();
        response.putInt(work(units)).put(request);
    }

    @Override
    public boolean takesLong(ByteBuffer request) {
        return request.getInt(request.position()) > LONG_UNITS;
    }

    private static int work(int units) {
        CRC32 checksum = CHECKSUMS.get();
        checksum.reset();
        for (int left = units; left > 0; left -= BLOCK_UNITS) {
            checksum.update(BLOCK, 0, Math.min(left, BLOCK_UNITS) * UNIT);
        }
        return (int) checksum.getValue();
    }

    /** {@return how many units cost a microsecond of a CPU that does nothing else} */
    static double unitsPerMicro() throws IOException {
        double last = nanosPerSample();
        for (int i = 1; i < MAX_SERIES; i++) {
            double next = nanosPerSample();
            if (Math.abs(next - last) <= TOLERANCE * last) {
                return SAMPLE_UNITS * NANOS_PER_MICRO / next;
            }
            last = next;
        }
        throw new IOException("no two of " + MAX_SERIES + " series of the same work took the same CPU time: the cost "
                + "of a request cannot be measured on this machine now");
    }

    private static double nanosPerSample() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] samples = new long[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            long begin = threads.getCurrentThreadCpuTime();
            work(SAMPLE_UNITS);
            samples[i] = threads.getCurrentThreadCpuTime() - begin;
        }
        Arrays.sort(samples);
        return samples[CHOSEN_SAMPLE];
    }
}
