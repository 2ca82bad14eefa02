package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.LoopGroupContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReactorGroupTest extends ReactorContract implements LoopGroupContract {

    @Override
    public LoopBuilder<ReactorGroup> groups() {
        return ReactorGroup.builder().demultiplexer(demultiplexer).loops(2);
    }

    @Override
    public void closeAfterwards(AutoCloseable resource) {
        own(resource);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theFailureOfTheLastLoopEndsTheRun() throws Exception {
        ReactorGroup group = own(groups().open());
        try (FaultInjection faults = FaultInjection.install()) {
            ReactorGroup failing = own(groups().open());
            faults.failEach(WaitFunctions.waiting(demultiplexer), Errno.ENOMEM);
            IOException failure = assertThrows(IOException.class, failing::run);
            assertTrue(failure.getMessage().startsWith("all loops of group of 2"), failure::getMessage);
            assertTrue(failure.getCause().getMessage().contains("ENOMEM"), failure::getMessage);
            assertFalse(failing.isOpen());
        }
        assertTrue(group.isOpen());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLoopThatFailsLeavesTheGroup() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            ReactorGroup group = own(groups().open());
            faults.throwNth(WaitFunctions.waiting(demultiplexer), 2, new LinkageError("thrown by the test"));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            group.onFailure(failure::set);
            OtherThread<Void> runner = OtherThread.start(() -> {
                group.run();
                return null;
            });
            OtherThread.await(() -> failure.get() != null);
            assertInstanceOf(LinkageError.class, failure.get());
            assertEquals(1, group.loops().stream().filter(Reactor::isOpen).count());
            Reactor left = group.next();
            assertSame(left, group.next());
            CountDownLatch served = new CountDownLatch(1);
            left.execute(served::countDown);
            OtherThread.await(served);
            group.stop(Duration.ZERO);
            runner.result();
        }
    }

    @Test
    void aSecondThreadOfALoopIsRefused() throws Exception {
        ReactorGroup group = own(groups().open());
        group.start();
        Reactor loop = group.next();
        CountDownLatch running = new CountDownLatch(1);
        loop.execute(running::countDown);
        OtherThread.await(running);
        IllegalStateException e = assertThrows(IllegalStateException.class, loop::run);
        assertTrue(e.getMessage().startsWith("run: Thread["), e::getMessage);
        assertTrue(e.getMessage().endsWith("use a group for several threads"), e::getMessage);
        group.close();
        IllegalStateException late = assertThrows(IllegalStateException.class, () -> loop.schedule(() -> { }, LATER));
        assertEquals("schedule: " + loop + " is closed; open another loop", late.getMessage());
    }

    @Test
    void aBuilderMakesSingleReactors() throws Exception {
        TimerQueue[] queues = new TimerQueue[1];
        LoopBuilder<Reactor> builder = Reactor.builder().demultiplexer(demultiplexer).multiThreaded(isShared())
                .timers(() -> queues[0] = TimerQueue.wheel());
        Reactor first = own(builder.open());
        first.schedule(() -> { }, LATER);
        assertEquals(1, queues[0].size());
        assertEquals(demultiplexer, first.demultiplexer());
        own(builder.open());
        assertThrows(IllegalArgumentException.class, () -> builder.loops(2).open());
        assertThrows(IllegalArgumentException.class, () -> Reactor.builder().threadFactory(Thread::new).open());
    }

    @Test
    void connectionsReceiveIntoABufferOfTheSizeThatIsSet() throws Exception {
        LoopBuilder<Reactor> builder = Reactor.builder().demultiplexer(demultiplexer).multiThreaded(isShared())
                .buffers(1, 100);
        Reactor reactor = own(builder.open());
        List<Integer> sizes = new ArrayList<>();
        Acceptor acceptor = Acceptor.listen(reactor, new InetSocketAddress("127.0.0.1", 0), () -> new ServiceHandler() {
            @Override
            protected void received(ByteBuffer bytes) {
                sizes.add(bytes.remaining());
            }
        });
        SocketStream peer = own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        peer.sendFully(ByteBuffer.allocate(250), LIMIT);
        int sum = 0;
        while (sum < 250) {
            reactor.runOnce(LIMIT);
            sum = sizes.stream().mapToInt(Integer::intValue).sum();
        }
        assertEquals(100, sizes.get(0));
        assertThrows(IllegalArgumentException.class, () -> builder.retainLimit(2).open());
        assertThrows(IllegalArgumentException.class, () -> Reactor.builder().buffers(2, 100).open());
    }

    @Test
    void aTraceIsOfOneLoop() throws Exception {
        DispatchTrace trace = new DispatchTrace(Duration.ofSeconds(1));
        Reactor traced = own(Reactor.builder().demultiplexer(demultiplexer).trace(trace).open());
        assertSame(trace, traced.trace().orElseThrow());
        assertThrows(IllegalStateException.class, () -> groups().trace(trace).open());
    }
}
