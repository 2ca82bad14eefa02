package dev.sluice.samples.concurrency;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's virtual threads, which it has from 21 on. */
final class VirtualThreads {

    private static final String FACTORY = "newVirtualThreadPerTaskExecutor";
    private static final int SINCE = 21;

    private VirtualThreads() {
    }

    static boolean available() {
        return Runtime.version().feature() >= SINCE;
    }

    /** {@return an executor that runs each task in a virtual thread of its own} */
    static ExecutorService newExecutor() {
        try {
            return (ExecutorService) Executors.class.getMethod(FACTORY).invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("virtual threads need Java " + SINCE + " or later, this is "
                    + Runtime.version().feature(), e);
        }
    }
}
