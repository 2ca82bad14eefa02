package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Recorder;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads receive from one datagram socket at once, because its handler says that they may. */
@Tag(Depth.IN_QUICK)
class ConcurrentHandleTest extends PoolContract {

    private static final int THREADS = 4;
    private static final int MANY = CalledSystem.times(2_000);
    /** Number of datagrams on their way at most; no system drops so few. */
    private static final int WINDOW = 16;

    private SocketDatagram socket;
    private SocketDatagram sender;

    @BeforeEach
    void openSockets() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        socket = own(SocketDatagram.open(new InetSocketAddress(loopback, 0)));
        sender = own(SocketDatagram.open(new InetSocketAddress(loopback, 0)));
        sender.connect(socket.localAddress());
    }

    private void send(int number) throws IOException {
        assertTrue(sender.send(ByteBuffer.allocate(Integer.BYTES).putInt(0, number)));
    }

    /** Receives one datagram, promotes a new leader, and then does what the test wants. */
    private class Receiver extends OneHandleHandler {

        private final OtherThread.Action onDatagram;
        private final Queue<Integer> numbers = new ConcurrentLinkedQueue<>();
        private final AtomicInteger inside = new AtomicInteger();
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private final List<Integer> insideAtClose = new CopyOnWriteArrayList<>();

        Receiver(OtherThread.Action onDatagram) {
            this.onDatagram = onDatagram;
        }

        @Override
        public Handle handle() {
            return socket.handle();
        }

        @Override
        public boolean isConcurrent() {
            return true;
        }

        @Override
        public void handleInput(Registration registration) throws Exception {
            note(registration);
            inside.incrementAndGet();
            try {
                ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES);
                if (socket.receive(buffer, null) != SocketDatagram.NONE) {
                    pool.promoteNewLeader();
                    numbers.add(buffer.getInt(0));
                    onDatagram.run();
                }
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void handleClose(Registration registration) {
            insideAtClose.add(inside.get());
        }
    }

    private Receiver register(Promotion promotion, OtherThread.Action onDatagram) throws IOException {
        Receiver receiver = new Receiver(onDatagram);
        receiver.note(pool.handleSet().register(socket.handle(), Interest.READ, receiver, promotion));
        return receiver;
    }

    /**
     * Sends datagrams and returns when as many hooks are inside. There are no others on their way, which would receive
     * what is sent later, if a new leader is promoted only after each receive.
     */
    private void occupy(Receiver receiver, int hooks) throws IOException {
        for (int i = 0; i < hooks; i++) {
            send(i);
        }
        OtherThread.await(() -> receiver.numbers.size() == hooks);
    }

    @ParameterizedTest
    @EnumSource
    void asManyHooksOfTheHandleRunAtOnceAsThereAreThreads(Promotion promotion) throws Exception {
        CyclicBarrier together = new CyclicBarrier(THREADS + 1);
        Receiver receiver = register(promotion, () -> together.await(30, TimeUnit.SECONDS));
        join(THREADS);
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < THREADS; i++) {
                send(i);
            }
            together.await(30, TimeUnit.SECONDS);
        }
        OtherThread.await(() -> receiver.numbers.size() == 10 * THREADS && receiver.inside.get() == 0);
        assertEquals(List.of(), receiver.failures);
    }

    @ParameterizedTest
    @EnumSource
    void everyDatagramGoesToOneHook(Promotion promotion) throws Exception {
        Receiver receiver = register(promotion, Thread::yield);
        join(THREADS);
        for (int i = 0; i < MANY; i++) {
            int sent = i;
            OtherThread.await(() -> sent - receiver.numbers.size() < WINDOW);
            send(i);
        }
        OtherThread.await(() -> receiver.numbers.size() >= MANY);
        assertEquals(IntStream.range(0, MANY).boxed().toList(), receiver.numbers.stream().sorted().toList());
        assertEquals(List.of(), receiver.failures);
    }

    @ParameterizedTest
    @EnumSource
    void endIsDispatchedOnceWhenAllHooksHaveReturned(Promotion promotion) throws Exception {
        Semaphore go = new Semaphore(0);
        Receiver receiver = register(promotion, go::acquire);
        join(THREADS);
        occupy(receiver, 3);
        receiver.registration().close();
        for (int left = 2; left >= 0; left--) {
            assertEquals(List.of(), receiver.insideAtClose);
            go.release();
            int expected = left;
            OtherThread.await(() -> receiver.inside.get() == expected);
        }
        OtherThread.await(() -> !receiver.insideAtClose.isEmpty());
        close(pool);
        assertEquals(List.of(0), receiver.insideAtClose);
        assertEquals(List.of(), receiver.failures);
    }

    @Test
    void failureOfOneHookIsReportedOnceAfterTheOthersReturn() throws Exception {
        Semaphore go = new Semaphore(0);
        AtomicInteger entered = new AtomicInteger();
        Error failure = new Error("on purpose");
        Receiver receiver = register(Promotion.BY_HANDLER, () -> {
            if (entered.incrementAndGet() == THREADS) {
                throw failure;
            }
            go.acquire();
        });
        Pipe other = pipe();
        Recorder otherReader = register("other", other);
        Members members = join(THREADS);
        occupy(receiver, THREADS);
        // The thread whose hook has failed is the only one that can do this, and has ended the registration before.
        awaitOther(other, otherReader);
        assertEquals(THREADS - 1, receiver.inside.get());
        assertEquals(List.of(), receiver.failures);
        // No thread receives this.
        send(99);
        go.release(THREADS);
        OtherThread.await(() -> !receiver.insideAtClose.isEmpty());
        close(pool);
        assertEquals(List.of(failure), receiver.failures);
        assertEquals(List.of(0), receiver.insideAtClose);
        assertEquals(THREADS, receiver.numbers.size());
        assertTrue(members.failures().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failuresOfTwoHooksAreReportedByOneThreadAfterBothReturn(boolean removed) throws Exception {
        Semaphore go = new Semaphore(0);
        Set<Thread> reporters = ConcurrentHashMap.newKeySet();
        List<Integer> insideAtFailure = new CopyOnWriteArrayList<>();
        Receiver receiver = new Receiver(() -> {
            go.acquire();
            throw new IOException("thrown by the test");
        }) {
            @Override
            public void handleFailure(Registration registration, Throwable cause) {
                reporters.add(Thread.currentThread());
                insideAtFailure.add(super.inside.get());
                super.handleFailure(registration, cause);
            }
        };
        receiver.note(pool.handleSet().register(socket.handle(), Interest.READ, receiver, Promotion.BY_HANDLER));
        Members members = join(THREADS);
        occupy(receiver, 2);
        if (removed) {
            receiver.registration().close();
        }
        go.release();
        OtherThread.await(() -> receiver.inside.get() == 1);
        assertEquals(List.of(), receiver.failures);
        go.release();
        OtherThread.await(() -> !receiver.insideAtClose.isEmpty());
        close(pool);
        assertEquals(2, receiver.failures.size());
        assertNotSame(receiver.failures.get(0), receiver.failures.get(1));
        assertEquals(List.of(0, 0), insideAtFailure);
        assertEquals(1, reporters.size());
        assertEquals(List.of(0), receiver.insideAtClose);
        assertTrue(members.failures().isEmpty());
    }

    @Test
    void nextRegistrationOfTheHandleWaitsForAllHooks() throws Exception {
        Semaphore go = new Semaphore(0);
        Receiver receiver = register(Promotion.BY_HANDLER, go::acquire);
        Pipe other = pipe();
        Recorder otherReader = register("other", other);
        join(THREADS);
        occupy(receiver, 2);
        receiver.registration().close();
        Receiver next = register(Promotion.BY_HANDLER, () -> { });
        send(10);
        go.release();
        OtherThread.await(() -> receiver.inside.get() == 1);
        awaitOther(other, otherReader);
        assertEquals(List.of(), List.copyOf(next.numbers));
        go.release();
        OtherThread.await(() -> next.numbers.size() == 1);
        assertEquals(List.of(0), receiver.insideAtClose);
        send(11);
        OtherThread.await(() -> next.numbers.size() == 2);
    }

    /** Whatever could be dispatched before this could have been. */
    private static void awaitOther(Pipe other, Recorder otherReader) throws IOException {
        for (int i = 0; i < 20; i++) {
            int expected = otherReader.received() + 1;
            send(other);
            OtherThread.await(() -> otherReader.received() == expected);
        }
    }

    @Test
    void deactivatedHandleIsSilentThoughHooksAreInside() throws Exception {
        Semaphore go = new Semaphore(0);
        Receiver receiver = register(Promotion.BY_HANDLER, go::acquire);
        Pipe other = pipe();
        Recorder otherReader = register("other", other);
        join(THREADS);
        occupy(receiver, 1);
        receiver.registration().pause();
        send(1);
        awaitOther(other, otherReader);
        go.release();
        OtherThread.await(() -> receiver.inside.get() == 0);
        awaitOther(other, otherReader);
        assertEquals(1, receiver.numbers.size());
        receiver.registration().resume();
        OtherThread.await(() -> receiver.numbers.size() == 2);
        go.release();
    }

    @ParameterizedTest
    @EnumSource
    void hookThatJoinsIsNotEnteredAgainMeanwhile(Promotion promotion) throws Exception {
        Pipe other = pipe();
        Recorder otherReader = register("other", other);
        AtomicInteger entered = new AtomicInteger();
        Receiver receiver = new Receiver(() -> { }) {
            @Override
            public void handleInput(Registration registration) throws Exception {
                // It has not received yet, so the handle is ready all the time.
                if (entered.incrementAndGet() == 1) {
                    send(other);
                    while (!otherReader.called("input")) {
                        pool.join(Duration.ofMillis(10));
                    }
                    assertEquals(1, entered.get());
                }
                super.handleInput(registration);
            }
        };
        receiver.note(pool.handleSet().register(socket.handle(), Interest.READ, receiver, promotion));
        join(1);
        send(1);
        OtherThread.await(() -> receiver.numbers.size() == 1);
        send(2);
        OtherThread.await(() -> receiver.numbers.size() == 2);
        assertEquals(List.of(), receiver.failures);
    }

    @Test
    void handleIsClosedWhileHooksAreInside() throws Exception {
        Semaphore go = new Semaphore(0);
        Receiver receiver = register(Promotion.BY_HANDLER, go::acquire);
        Members members = join(THREADS);
        occupy(receiver, THREADS);
        socket.close();
        assertEquals(List.of(), receiver.insideAtClose);
        go.release(THREADS);
        OtherThread.await(() -> !receiver.insideAtClose.isEmpty());
        close(pool);
        assertEquals(List.of(0), receiver.insideAtClose);
        assertTrue(members.failures().isEmpty());
    }

    @Test
    void nothingHappensTwiceThoughRegistrationsComeAndGo() throws Exception {
        comeAndGo(CalledSystem.times(200));
    }

    @Tag("stress")
    @Test
    void nothingHappensTwiceThoughManyRegistrationsComeAndGo() throws Exception {
        comeAndGo(CalledSystem.times(50_000));
    }

    private void comeAndGo(int rounds) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Members members = join(THREADS);
        OtherThread<Integer> sending = OtherThread.start(() -> {
            int sent = 0;
            while (!over.get()) {
                // What finds no room is lost.
                sender.send(ByteBuffer.allocate(Integer.BYTES).putInt(0, sent++));
                Thread.yield();
            }
            return sent;
        });
        List<Receiver> receivers = new ArrayList<>();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int round = 0; round < rounds; round++) {
            Receiver receiver = register(Promotion.values()[round % 2], Thread::yield);
            receivers.add(receiver);
            if (random.nextInt(4) == 0) {
                receiver.registration().pause();
                receiver.registration().resume();
            }
            if (random.nextInt(4) != 0) {
                OtherThread.await(() -> !receiver.numbers.isEmpty());
            }
            // Its hooks may be running when the next one is registered.
            receiver.registration().close();
        }
        over.set(true);
        sending.result();
        OtherThread.await(() -> receivers.stream().noneMatch(receiver -> receiver.insideAtClose.isEmpty()));
        Set<Integer> numbers = new HashSet<>();
        for (Receiver receiver : receivers) {
            assertEquals(List.of(0), receiver.insideAtClose);
            assertEquals(List.of(), receiver.failures);
            receiver.numbers.forEach(number -> assertTrue(numbers.add(number), () -> number + " twice"));
        }
        assertTrue(members.failures().isEmpty());
    }
}
