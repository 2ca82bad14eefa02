package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The completions that a demultiplexer passes at its close. */
class RemainingCompletionsTest {

    private static final int MANY = RemainingCompletions.CAPACITY;

    private int notified;
    private long allocated = -1;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final CompletionHandler handler = each -> notified++;
    private final Completion completion = (Completion) Proxy.newProxyInstance(Completion.class.getClassLoader(),
            new Class<?>[] {Completion.class},
            (proxy, method, arguments) -> method.getName().equals("handler") ? handler : null);
    private final AsynchronousEventDemultiplexer demultiplexer = (AsynchronousEventDemultiplexer)
            Proxy.newProxyInstance(AsynchronousEventDemultiplexer.class.getClassLoader(),
                    new Class<?>[] {AsynchronousEventDemultiplexer.class}, (proxy, method, arguments) -> {
                        passTo(arguments[0]);
                        return null;
                    });

    @SuppressWarnings("unchecked")
    private void passTo(Object consumer) {
        Consumer<Completion> rest = (Consumer<Completion>) consumer;
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            rest.accept(completion);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Otherwise their handlers would be notified only if the close is repeated when there is memory. */
    @Test
    void completionsAreTakenWithoutMemory() {
        // What is used for the first time takes memory.
        new RemainingCompletions(demultiplexer).close();
        assertEquals(MANY, notified);
        new RemainingCompletions(demultiplexer).close();
        assertEquals(2 * MANY, notified);
        assertEquals(0, allocated);
    }

    @Test
    void completionsAreDispatchedOnce() {
        RemainingCompletions remaining = new RemainingCompletions(demultiplexer);
        remaining.close();
        assertEquals(MANY, notified);
        remaining.close();
        assertEquals(2 * MANY, notified, "the second close has passed as many again");
    }
}
