package dev.sluice.samples.compare;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;

/** A service that costs as much CPU as the request asks for. */
final class BusyWork {

    /** What a request and a response contain. */
    static final int CONTENT = 64;

    private static final long MULTIPLIER = 0x2545F4914F6CDD1DL;
    private static final int SAMPLES = 200;
    private static final int SAMPLE_ROUNDS = 20_000;
    private static final double NANOS_PER_MICRO = 1e3;

    private BusyWork() {
    }

    /** Goes as many rounds as the first int of the request says, and sends it back with the result in their place. */
    static void handleRequest(ByteBuffer request, ByteBuffer response) {
        int rounds = request.getInt();
        response.putInt((int) spin(rounds)).put(request);
    }

    // Each round needs the result of the one before. Multiplications and additions alone would not do: the compiler
    // makes one of several, and how many depends on the process.
    private static long spin(int rounds) {
        long state = rounds | 1L;
        for (int i = 0; i < rounds; i++) {
            state = (state ^ state >>> 29) * MULTIPLIER;
        }
        return state;
    }

    /** {@return how many rounds cost a microsecond of a CPU that does nothing else} */
    static double roundsPerMicro() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ByteBuffer request = ByteBuffer.allocate(Integer.BYTES).putInt(0, SAMPLE_ROUNDS);
        ByteBuffer response = ByteBuffer.allocate(Integer.BYTES);
        long best = Long.MAX_VALUE;
        // The first ones are interpreted.
        for (int i = 0; i < SAMPLES; i++) {
            long begin = threads.getCurrentThreadCpuTime();
            handleRequest(request.clear(), response.clear());
            best = Math.min(best, threads.getCurrentThreadCpuTime() - begin);
        }
        return SAMPLE_ROUNDS * NANOS_PER_MICRO / best;
    }
}
