package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.Proactors;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An object that can be closed, in use for some connections, and that counts the notifications of their end. */
public abstract class Closable {

    /** Opens one in use. */
    @FunctionalInterface
    public interface Opening {
        /** Opens it. */
        Closable open(String demultiplexer, List<Connection> connections) throws IOException;
    }

    /** How there is something to close. */
    public enum Kind {
        HANDLE_SET(Mode.SYNCHRONOUS, OpenHandleSet::new),
        OPERATIONS(Mode.ASYNCHRONOUS, OpenOperations::new),
        REACTOR(Mode.SYNCHRONOUS, OpenReactor::new),
        PROACTOR(Mode.ASYNCHRONOUS, OpenProactor::new),
        GROUP(Mode.ASYNCHRONOUS, OpenGroup::new),
        POOL(Mode.SYNCHRONOUS, OpenPool::new),
        ACCEPTOR(Mode.SYNCHRONOUS, ClosableServers.OpenAcceptor::new),
        CONNECTOR(Mode.SYNCHRONOUS, ClosableServers.OpenConnector::new),
        ASYNC_ACCEPTOR(Mode.ASYNCHRONOUS, ClosableServers.OpenAsyncAcceptor::new),
        ASYNC_CONNECTOR(Mode.ASYNCHRONOUS, ClosableServers.OpenAsyncConnector::new),
        SOCKET_STAGES(Mode.ASYNCHRONOUS, ClosableServers.OpenSocketStages::new),
        FILE_STAGE(Mode.ASYNCHRONOUS, ClosableServers.OpenFiles::onProactor),
        BLOCKING_FILE_STAGE(Mode.ASYNCHRONOUS, ClosableServers.OpenFiles::blocking);

        public final Mode mode;
        public final Opening opening;

        Kind(Mode mode, Opening opening) {
            this.mode = mode;
            this.opening = opening;
        }

        /** {@return whether it has code of its own for each demultiplexer; stages see no more than a proactor} */
        boolean differsByDemultiplexer() {
            return compareTo(SOCKET_STAGES) < 0;
        }
    }

    /** Number of notifications of an end. */
    final AtomicInteger notified = new AtomicInteger();

    public abstract void close();

    /** Asserts that each handler was notified of its end, once. */
    public void assertAllNotified(int connections) {
        assertEquals(connections, notified.get(), "notifications of an end");
    }

    /** Tells of the end of its registration, and leaves its handle open. */
    final OneHandleHandler handler(Connection connection) {
        return new OneHandleHandler() {
            @Override
            public Handle handle() {
                return connection.near().handle();
            }

            @Override
            public void handleClose(Registration registration) {
                notified.incrementAndGet();
            }
        };
    }

    /** Starts an operation that does not complete by itself. */
    final void receive(Proactor proactor, Connection connection) throws IOException {
        new AsyncStream(proactor, connection.near(), new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) {
                notified.incrementAndGet();
            }
        }).receive(ByteBuffer.allocateDirect(1), null);
    }

    private static final class OpenHandleSet extends Closable {

        private final SynchronousEventDemultiplexer set;
        private final Membership[] registrations;

        OpenHandleSet(String name, List<Connection> connections) throws IOException {
            set = OpenedDemultiplexers.openSynchronous(name);
            registrations = new Membership[connections.size()];
            for (int i = 0; i < registrations.length; i++) {
                registrations[i] = set.register(connections.get(i).near().handle(), EventType.READ, null);
            }
        }

        @Override
        public void assertAllNotified(int connections) {
            for (Membership each : registrations) {
                assertFalse(each.isValid());
            }
        }

        @Override
        public void close() {
            set.close();
        }
    }

    private static final class OpenOperations extends Closable {

        private final AsynchronousEventDemultiplexer operations;

        OpenOperations(String name, List<Connection> connections) throws IOException {
            operations = OpenedDemultiplexers.openAsynchronous(name);
            for (Connection each : connections) {
                operations.newOperation().receive(operations.associate(each.near().handle()),
                        ByteBuffer.allocateDirect(1));
            }
            try (Completions batch = operations.newCompletions(1)) {
                operations.awaitCompletions(batch, 0);
            }
        }

        @Override
        public void close() {
            operations.close(last -> notified.incrementAndGet());
        }
    }

    private static final class OpenReactor extends Closable {

        private final Reactor reactor;

        OpenReactor(String name, List<Connection> connections) throws IOException {
            reactor = Reactor.open(name);
            for (Connection each : connections) {
                handler(each).register(reactor, Interest.READ);
            }
            reactor.runOnce(Duration.ZERO);
        }

        @Override
        public void close() {
            reactor.close();
        }
    }

    private static final class OpenProactor extends Closable {

        private final Proactor proactor;

        OpenProactor(String name, List<Connection> connections) throws IOException {
            proactor = Proactor.open(name);
            for (Connection each : connections) {
                receive(proactor, each);
            }
            proactor.runOnce(Duration.ZERO);
        }

        @Override
        public void close() {
            proactor.close();
        }
    }

    private static final class OpenGroup extends Closable {

        private final ProactorGroup group;

        OpenGroup(String name, List<Connection> connections) throws IOException {
            group = Proactors.group(name, 1);
            for (Connection each : connections) {
                receive(group.next(), each);
            }
            OtherThread.await(() -> group.next().dispatchingThreads() == 0);
        }

        @Override
        public void close() {
            group.close();
        }
    }

    private static final class OpenPool extends Closable {

        private final LeaderFollowersPool pool;

        OpenPool(String name, List<Connection> connections) throws IOException {
            pool = LeaderFollowersPool.open(name);
            for (Connection each : connections) {
                handler(each).register(pool, Interest.READ);
            }
            pool.join(Duration.ZERO);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
