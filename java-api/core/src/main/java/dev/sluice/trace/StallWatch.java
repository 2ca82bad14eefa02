package dev.sluice.trace;

import dev.sluice.hook.HookFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that checks whether the hooks of a {@link DispatchTrace} return in time. */
final class StallWatch implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchTrace.class);
    /** Number of checks within the limit: a stall is reported at most this fraction of the limit late. */
    private static final int LOOKS = 4;

    private final DispatchTrace trace;
    private final long limitNanos;
    private final Thread thread = new Thread(this, "sluice-stall-watch");
    private volatile boolean ended;

    private StallWatch(DispatchTrace trace, long limitNanos) {
        this.trace = trace;
        this.limitNanos = limitNanos;
        thread.setDaemon(true);
    }

    static StallWatch start(DispatchTrace trace, long limitNanos) {
        StallWatch watch = new StallWatch(trace, limitNanos);
        watch.thread.start();
        return watch;
    }

    void end() {
        ended = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        long pause = Math.max(limitNanos / LOOKS, TimeUnit.MILLISECONDS.toNanos(1));
        while (!ended) {
            LockSupport.parkNanos(this, pause);
            try {
                trace.forEachThread(this::look);
            } catch (Throwable e) {
                // The report calls toString methods of the program, which may throw anything. Further stalls must still
                // be reported.
                HookFailure.log(LOG, "a stall cannot be reported", e);
            }
        }
    }

    private void look(ThreadStack stack) {
        long now = System.nanoTime();
        ThreadStack.Frame frame = stack.stalled(limitNanos, now);
        if (frame != null) {
            LOG.warn("{} has called {} in thread {}, which has not returned for {} ms\n{}{}", trace.owner(),
                    TracedHook.call(frame.hook, frame.handler, frame.handle), stack.thread.getName(),
                    TimeUnit.NANOSECONDS.toMillis(now - frame.began), formatStackTrace(stack.thread), trace);
        }
    }

    private static String formatStackTrace(Thread thread) {
        StringBuilder lines = new StringBuilder();
        for (StackTraceElement element : thread.getStackTrace()) {
            lines.append("\tat ").append(element).append('\n');
        }
        return lines.toString();
    }
}
