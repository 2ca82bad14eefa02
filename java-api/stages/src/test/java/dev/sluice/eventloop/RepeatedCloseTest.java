package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The close of anything, whose n-th system call finds no memory, or which finds no stack at any depth: the close that
 * is repeated continues where the first one has failed. It returns, each handler was notified of its end once, and no
 * resource is leaked.
 */
class RepeatedCloseTest extends LeakChecked {

    private static final int CONNECTIONS = 3;
    /** In which calls go on failing, until the first close has given up. */
    private static final int LASTING = Depth.times(0, 0, 3);

    /** Frames of the recursion that are left again before the close. */
    private static final int MAX_FRAMES = 120;
    private static final int STEP = Depth.times(40, 30, 15, 1);
    /** The end of a file is deeper down. */
    private static final int MAX_FRAMES_FOR_FILES = 400;
    private static final int STEP_FOR_FILES = Depth.times(12, 12, 6, 1);

    /** The connections for one close after another: the same, unless the demultiplexer keeps them. */
    private static final class Connections implements AutoCloseable {

        private final List<Connection> open = new ArrayList<>();
        private final boolean areKept;

        Connections(String demultiplexer) {
            // Windows ties a socket to a completion port until it is closed, and never to another one.
            areKept = demultiplexer.equals("iocp");
        }

        List<Connection> next() throws IOException {
            if (areKept) {
                close();
            }
            while (open.size() < CONNECTIONS) {
                open.add(Connection.tcp());
            }
            return open;
        }

        @Override
        public void close() {
            open.forEach(Connection::close);
            open.clear();
        }
    }

    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private volatile boolean lasts;

    static Stream<Arguments> closables(TestInfo test) {
        return Arrays.stream(Closable.Kind.values()).flatMap(kind -> handleSets(kind, test)
                .map(HandleSet::demultiplexer).distinct().map(name -> Arguments.of(kind, name)));
    }

    private static Stream<HandleSet> handleSets(Closable.Kind kind, TestInfo test) {
        return kind.differsByDemultiplexer() ? HandleSet.usable(kind.mode).stream() : HandleSet.ofProactors(test);
    }

    @ParameterizedTest
    @MethodSource("closables")
    void closeGoesOnWhereItHasFailed(Closable.Kind kind, String demultiplexer) throws Exception {
        Binding real = Bindings.current();
        Bindings.use(real.decorated(real.name(), this::decorate));
        Connections connections = new Connections(demultiplexer);
        try {
            for (int number = 1; fails(kind, demultiplexer, connections, number, false); number++) {
                if (number <= LASTING) {
                    fails(kind, demultiplexer, connections, number, true);
                }
            }
        } finally {
            left.set(Integer.MAX_VALUE);
            Bindings.use(real);
            connections.close();
        }
    }

    /** A caller recurses until its stack is full, and closes with more and more stack left. */
    @ParameterizedTest
    @MethodSource("closables")
    void closeThatFoundNoStackGoesOn(Closable.Kind kind, String demultiplexer) throws Exception {
        try (Connections connections = new Connections(demultiplexer)) {
            for (int frames = 0; frames < MAX_FRAMES; frames += STEP) {
                closeWithFramesLeft(kind, demultiplexer, connections.next(), frames);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Closable.Kind.class, names = {"FILE_STAGE", "BLOCKING_FILE_STAGE"})
    void closeThatFoundNoStackForAFileGoesOn(Closable.Kind kind) throws Exception {
        for (int frames = 0; frames < MAX_FRAMES_FOR_FILES; frames += STEP_FOR_FILES) {
            closeWithFramesLeft(kind, Mechanism.AUTO, List.of(), frames);
        }
    }

    private static void closeWithFramesLeft(Closable.Kind kind, String demultiplexer, List<Connection> connections,
            int frames) throws Exception {
        FullStack.run(kind + " on " + demultiplexer + " with " + frames + " frames left",
                EventLoopContract.LIMIT.multipliedBy(2), () -> {
                    Closable closable = kind.opening.open(demultiplexer, connections);
                    assertNull(FullStack.callWithFramesLeft(frames, closable::close));
                    closable.close();
                    closable.assertAllNotified(CONNECTIONS);
                });
    }

    private <T> T decorate(Class<T> family, T calls) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            int now = left.decrementAndGet();
            if (now == 0 || lasts && now < 0) {
                throw new OutOfMemoryError("thrown by the test");
            }
            try {
                return method.invoke(calls, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family}, handler));
    }

    /** {@return whether there were as many calls} */
    private boolean fails(Closable.Kind kind, String demultiplexer, Connections all, int number, boolean lasting)
            throws Exception {
        List<Connection> connections = all.next();
        AtomicReference<Throwable> first = new AtomicReference<>();
        OtherThread<Boolean> closing = OtherThread.start(() -> {
            Closable closable = kind.opening.open(demultiplexer, connections);
            lasts = lasting;
            left.set(number);
            first.set(failureOf(closable));
            boolean reached = left.getAndSet(Integer.MAX_VALUE) <= 0;
            if (first.get() != null) {
                closable.close();
            }
            closable.assertAllNotified(CONNECTIONS);
            return reached;
        });
        try {
            return closing.result();
        } catch (Throwable e) {
            throw new AssertionError(kind + " on " + demultiplexer + ", call " + number + (lasting ? " and later" : "")
                    + ", first close: " + first + ", now in " + Arrays.toString(closing.thread().getStackTrace()), e);
        }
    }

    private static OutOfMemoryError failureOf(Closable closable) {
        try {
            closable.close();
            return null;
        } catch (OutOfMemoryError e) {
            return e;
        }
    }
}
