package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test that is checked for leaks of descriptors, threads, native memory and decorated bindings. */
public abstract class LeakChecked {

    /**
     * How long later tests wait once a test has leaked, so that a defect found by all of them does not slow down the
     * whole run.
     */
    private static final Duration AFTER_A_LEAK = Duration.ofSeconds(1);

    private static boolean hasLeaked;

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final Duration limit;
    private Binding binding;
    private RunningThreads threads;
    private OpenDescriptors descriptors;
    private long openBytes;

    // java.nio keeps a socket once it has opened a channel; of which class depends on the version.
    static {
        try {
            SocketChannel.open().close();
            FileChannel.open(Files.createTempFile("first", "channel"), StandardOpenOption.DELETE_ON_CLOSE,
                    StandardOpenOption.WRITE).close();
            // Winsock keeps an event for each thread that has called it.
            Transport.TCP4.connect(Path.of("")).close();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** For subclasses. */
    protected LeakChecked() {
        this(Patience.LIMIT);
    }

    LeakChecked(Duration limit) {
        this.limit = limit;
    }

    @BeforeEach
    final void takeStock() throws Exception {
        binding = Bindings.current();
        threads = RunningThreads.now();
        descriptors = OpenDescriptors.now();
        openBytes = MemoryInUse.bytes();
    }

    @AfterEach
    final void compareStock() throws Exception {
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        assertSame(binding, Bindings.current(), "the binding in use");
        boolean isChecked = false;
        try {
            awaitStock(hasLeaked ? AFTER_A_LEAK : limit);
            isChecked = true;
        } finally {
            // Deliberate leaks have a separate limit.
            hasLeaked |= !isChecked && limit == Patience.LIMIT;
        }
    }

    private void awaitStock(Duration atMost) throws Exception {
        threads.awaitEndOfOthers(atMost);
        Patience patience = new Patience(atMost);
        long bytes = MemoryInUse.bytes();
        while (bytes != openBytes && patience.lasts()) {
            // A thread that has finished its work for a test may still have to release borrowed memory.
            bytes = MemoryInUse.bytes();
        }
        assertEquals(openBytes, bytes, "bytes in memory blocks that leaked");
        String leaked = OpenDescriptors.glance().without(descriptors);
        // The JVM opens and closes descriptors in between, which are no leaks.
        while (!leaked.isEmpty() && patience.lasts()) {
            leaked = OpenDescriptors.now().without(descriptors);
        }
        assertEquals("", leaked, "descriptors that leaked");
    }

    /** {@return the resource, to be closed after the test} */
    protected final <T extends AutoCloseable> T own(T resource) {
        owned.push(resource);
        return resource;
    }
}
