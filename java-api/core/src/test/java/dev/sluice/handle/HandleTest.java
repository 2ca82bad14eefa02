package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing, users and listeners. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class HandleTest extends LeakChecked {

    private static int descriptor(Handle handle) throws Exception {
        int descriptor = (int) Descriptors.of(handle).acquire();
        Descriptors.of(handle).release();
        return descriptor;
    }

    private Handle open() throws Exception {
        return own(Pipe.open()).source();
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void closeReleasesTheDescriptorOnce() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Handle handle = open();
            Optional<String> link = OpenDescriptors.link(descriptor(handle));
            assertTrue(handle.isOpen());
            handle.close();
            assertFalse(handle.isOpen());
            assertEquals(1, faults.calls("close"));
            assertNotEquals(link, OpenDescriptors.link(numberOf(handle)));
            Handle heir = open();
            handle.close();
            assertEquals(1, faults.calls("close"), "a second close would hit the heir of the number");
            assertTrue(OpenDescriptors.link(descriptor(heir)).isPresent());
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void closeWaitsForMemory() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Handle handle = open();
            for (int n = 1; n <= 3; n++) {
                faults.throwNth("close", n, new OutOfMemoryError("on purpose"));
            }
            handle.close();
            assertEquals(4, faults.calls("close"));
        }
    }

    private static int numberOf(Handle closed) {
        return Integer.parseInt(closed.toString().replaceAll(".*\\(fd (\\d+)\\)", "$1"));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void manyClosersAtOnceAreOne() throws Exception {
        for (int round = 0; round < 200; round++) {
            try (FaultInjection faults = FaultInjection.install();
                 Pipe pipe = Pipe.open()) {
                Handle handle = pipe.source();
                AtomicInteger notified = new AtomicInteger();
                Descriptors.of(handle).addCloseListener(h -> notified.incrementAndGet());
                CountDownLatch start = new CountDownLatch(1);
                List<Background<Void>> closers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    closers.add(Background.run(() -> {
                        start.await();
                        handle.close();
                        return null;
                    }));
                }
                start.countDown();
                handle.close();
                for (Background<Void> closer : closers) {
                    closer.result();
                }
                assertEquals(1, faults.calls("close"));
                assertEquals(1, notified.get());
            }
        }
    }

    @Test
    void usersKeepTheDescriptor() throws Exception {
        Handle handle = open();
        int descriptor = (int) Descriptors.of(handle).acquire();
        assertEquals(descriptor, Descriptors.of(handle).acquire());
        Optional<String> link = OpenDescriptors.link(descriptor);
        handle.close();
        assertFalse(handle.isOpen());
        assertEquals(link, OpenDescriptors.link(descriptor));
        assertThrows(HandleClosedException.class, Descriptors.of(handle)::acquire);
        Descriptors.of(handle).release();
        assertEquals(link, OpenDescriptors.link(descriptor), "one user is left");
        handle.close();
        assertEquals(link, OpenDescriptors.link(descriptor), "one user is left");
        Descriptors.of(handle).release();
        assertNotEquals(link, OpenDescriptors.link(descriptor));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void closeDuringACallKeepsTheDescriptorOpen() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
             Pipe pipe = Pipe.open()) {
            pipe.send(Bytes.heap("data"));
            Gate gate = new Gate();
            faults.beforeNth("read", 1, gate);
            ByteBuffer destination = ByteBuffer.allocateDirect(10);
            Background<Integer> reader = Background.run(() -> pipe.receive(destination));
            gate.awaitArrival();
            int descriptor = numberOf(pipe.source());
            Optional<String> link = OpenDescriptors.link(descriptor);
            pipe.source().close();
            assertEquals(link, OpenDescriptors.link(descriptor), "in use");
            assertEquals(0, faults.calls("close"));
            assertThrows(HandleClosedException.class, () -> pipe.receive(ByteBuffer.allocate(1)));
            gate.open();
            assertEquals(4, reader.result());
            assertNotEquals(link, OpenDescriptors.link(descriptor), "the last one out closes");
            assertEquals(1, faults.calls("close"));
        }
    }

    @Test
    void closeNotifiesListenersOnceWhileTheDescriptorIsOpen() throws Exception {
        Handle handle = open();
        int descriptor = descriptor(handle);
        Optional<String> link = OpenDescriptors.link(descriptor);
        List<String> notified = new ArrayList<>();
        CloseListener removed = h -> notified.add("removed");
        Descriptors.of(handle).addCloseListener(h -> {
            notified.add("first");
            assertEquals(handle, h);
            assertFalse(h.isOpen());
            assertThrows(HandleClosedException.class, Descriptors.of(h)::acquire);
            h.close();
        });
        Descriptors.of(handle).addCloseListener(removed);
        Descriptors.of(handle).addCloseListener(h -> notified.add("second"));
        List<Optional<String>> seen = new ArrayList<>();
        Descriptors.of(handle).addCloseListener(h -> {
            try {
                seen.add(OpenDescriptors.link(descriptor));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        Descriptors.of(handle).removeCloseListener(removed);
        Descriptors.of(handle).removeCloseListener(removed);
        handle.close();
        handle.close();
        assertEquals(List.of("first", "second"), notified);
        assertEquals(List.of(link), seen);
        assertNotEquals(link, OpenDescriptors.link(descriptor));
    }

    @Test
    void listenerAfterTheCloseIsRefused() throws Exception {
        Handle handle = open();
        CloseListener listener = h -> { };
        Descriptors.of(handle).addCloseListener(listener);
        Descriptors.of(handle).removeCloseListener(listener);
        Descriptors.of(handle).addCloseListener(listener);
        handle.close();
        AtomicInteger notified = new AtomicInteger();
        HandleClosedException e = assertThrows(HandleClosedException.class,
                () -> Descriptors.of(handle).addCloseListener(h -> notified.incrementAndGet()));
        assertEquals(handle + " is closed", e.getMessage());
        assertEquals(0, notified.get());
        Descriptors.of(handle).removeCloseListener(listener);
    }

    /** Otherwise a handle could not be released, and would stay open, when a request has used up the memory. */
    @Test
    void listenerIsRemovedWithoutMemory() throws Exception {
        Handle handle = open();
        CloseListener first = h -> { };
        CloseListener second = h -> { };
        Descriptors.of(handle).addCloseListener(first);
        Descriptors.of(handle).addCloseListener(second);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Descriptors.of(handle).removeCloseListener(first);
        Descriptors.of(handle).removeCloseListener(second);
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
    }

    @Test
    void sameListenerTwiceIsRemovedOneByOne() throws Exception {
        Handle handle = open();
        AtomicInteger notified = new AtomicInteger();
        CloseListener listener = h -> notified.incrementAndGet();
        Descriptors.of(handle).addCloseListener(listener);
        Descriptors.of(handle).addCloseListener(listener);
        Descriptors.of(handle).removeCloseListener(listener);
        handle.close();
        assertEquals(1, notified.get());
    }

    @Test
    void failingListenerDoesNotLeakTheDescriptor() throws Exception {
        Handle handle = open();
        Descriptors.of(handle).addCloseListener(h -> {
            throw new IllegalStateException("must not throw");
        });
        assertThrows(IllegalStateException.class, handle::close);
        assertFalse(handle.isOpen());
    }

    /** A demultiplexer that is not notified would remain a user and keep the descriptor open. */
    @Test
    void failingListenerDoesNotPreventOthers() throws Exception {
        Handle handle = open();
        Optional<String> link = OpenDescriptors.link(descriptor(handle));
        IllegalStateException first = new IllegalStateException("first");
        AssertionError second = new AssertionError("second");
        List<String> notified = new ArrayList<>();
        Descriptors.of(handle).addCloseListener(closing -> {
            throw first;
        });
        Descriptors.of(handle).acquire();
        Descriptors.of(handle).addCloseListener(closing -> {
            notified.add("a user");
            Descriptors.of(handle).release();
        });
        Descriptors.of(handle).addCloseListener(closing -> {
            throw second;
        });
        Descriptors.of(handle).addCloseListener(closing -> notified.add("the last"));
        assertSame(first, assertThrows(IllegalStateException.class, handle::close));
        assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
        assertEquals(List.of("a user", "the last"), notified);
        assertFalse(handle.isOpen());
        assertNotEquals(link, OpenDescriptors.link(numberOf(handle)));
        handle.close();
    }

    @Test
    void listenerThatIsRemovedWhileItFailsIsNotCalledAgain() throws Exception {
        Handle handle = open();
        List<String> notified = new ArrayList<>();
        CloseListener removed = closing -> {
            notified.add("removed");
            throw new OutOfMemoryError("thrown by the test");
        };
        Descriptors.of(handle).addCloseListener(removed);
        Descriptors.of(handle).addCloseListener(closing -> {
            Descriptors.of(handle).removeCloseListener(removed);
            if (notified.size() == 1) {
                notified.add("fails");
                throw new OutOfMemoryError("thrown by the test");
            }
            notified.add("last");
        });
        assertThrows(OutOfMemoryError.class, handle::close);
        handle.close();
        assertEquals(List.of("removed", "fails", "last"), notified);
    }

    @Test
    void failingListenerEndsASurrenderToo() throws Exception {
        Handle handle = open();
        Optional<String> link = OpenDescriptors.link(descriptor(handle));
        List<String> notified = new ArrayList<>();
        Descriptors.of(handle).acquire();
        Descriptors.of(handle).addCloseListener(closing -> {
            throw new IllegalStateException("thrown by the test");
        });
        Descriptors.of(handle).addCloseListener(closing -> notified.add("the last"));
        assertThrows(IllegalStateException.class, Descriptors.of(handle)::surrender);
        assertEquals(List.of("the last"), notified);
        assertFalse(handle.isOpen());
        assertNotEquals(link, OpenDescriptors.link(numberOf(handle)));
    }

    /** Its wait ends with the close, whatever a listener does. */
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void failingListenerDoesNotPreventTheEndOfWaits() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
             SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            Gate gate = new Gate();
            faults.beforeNth("poll", 1, gate);
            Descriptors.of(acceptor.handle()).addCloseListener(closing -> {
                throw new IllegalStateException("thrown by the test");
            });
            Background<?> waiter = Background.run(() -> acceptor.accept(Duration.ofSeconds(60)));
            gate.awaitArrival();
            assertThrows(IllegalStateException.class, acceptor::close);
            gate.open();
            assertThrows(HandleClosedException.class, waiter::result);
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void failingCloseIsOnlyLogged() throws Exception {
        assertEquals("", logOfClose(Errno.EINTR), "the descriptor is closed nevertheless");
        String log = logOfClose(Errno.EIO);
        assertTrue(log.contains("pipe source (fd ") && log.contains("EIO (input/output error)"), log);
    }

    private static String logOfClose(Errno error) throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (FaultInjection faults = FaultInjection.install();
             Pipe pipe = Pipe.open();
             PrintStream capture = new PrintStream(log)) {
            System.setErr(capture);
            faults.failAfterNth("close", 1, error);
            pipe.source().close();
            assertEquals(1, faults.calls("close"), "tried only once");
        } finally {
            System.setErr(before);
        }
        return log.toString();
    }

    @Test
    void releasingMoreOftenThanAcquiringIsRefused() throws Exception {
        try (Pipe pipe = Pipe.open()) {
            Handle handle = pipe.source();
            Descriptors.of(handle).acquire();
            Descriptors.of(handle).release();
            assertThrows(IllegalStateException.class, Descriptors.of(handle)::release);
            assertTrue(handle.isOpen());
            handle.close();
            assertThrows(IllegalStateException.class, Descriptors.of(handle)::release);
            assertThrows(HandleClosedException.class, Descriptors.of(handle)::acquire);
        }
    }
}
