package dev.sluice.reactor;

import com.sun.management.ThreadMXBean;
import dev.sluice.eventloop.EventLoopContract;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** How many bytes of garbage a message costs the calling thread. */
final class MessageGarbage {

    /** Handles a number of messages. */
    @FunctionalInterface
    interface Run {
        void handle(int messages) throws IOException;
    }

    private MessageGarbage() {
    }

    /**
     * Measures until a message costs less than a byte, or the time is over: how soon the compiler has its last word is
     * its own affair.
     *
     * @param messages how many in each measurement
     * @param run      handles these
     * @return bytes for each message in the last measurement
     */
    static double bytesPerMessage(int messages, Run run) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double perMessage = Double.MAX_VALUE;
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        while (perMessage >= 1 && System.nanoTime() - end < 0) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run.handle(messages);
            perMessage = (double) (threads.getCurrentThreadAllocatedBytes() - before) / messages;
        }
        return perMessage;
    }
}
