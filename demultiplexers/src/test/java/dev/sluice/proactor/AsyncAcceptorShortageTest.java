package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.connection.DescriptorShortage;
import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** When there are no more descriptors, connections wait and the loop does not spin. */
@EnabledOnOs(OS.LINUX)
class AsyncAcceptorShortageTest extends ProactorContract {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration SOME_PAUSES = PAUSE.multipliedBy(3);

    private final List<SocketStream> services = new ArrayList<>();
    private DescriptorShortage shortage;
    private AsyncAcceptor acceptor;
    private SocketAcceptor socket;

    @BeforeEach
    void listen() throws Exception {
        shortage = own(new DescriptorShortage());
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        acceptor = AsyncAcceptor.listen(List.of(proactor), socket, new ListenOptions(),
                stream -> services.add(own(stream.stream())));
        connect(1);
        runUntil(() -> services.size() == 1);
        loopsFor(Duration.ZERO);
        for (Class<?> known : List.of(Proactor.class, Proactors.demultiplexer(proactor).getClass(), Errno.class,
                Bindings.current().posix().getClass())) {
            DescriptorShortage.loadClassesBeside(known);
        }
    }

    private void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            own(SocketConnector.connect(socket.localAddress(), LIMIT));
        }
    }

    /** No connection is accepted in the meantime, because this thread runs the loop. */
    private void connectDuringShortage(int count) throws IOException {
        shortage.begin();
        shortage.allow(count);
        connect(count);
    }

    /** {@return how often the loop has waited meanwhile} */
    private int loopsFor(Duration time) throws IOException {
        int before = recorder.timeouts().size();
        proactor.schedule(recorder, null, time);
        int count = 0;
        while (recorder.timeouts().size() == before) {
            proactor.runOnce();
            count++;
        }
        return count;
    }

    @Test
    void connectionsWaitUntilThereAreDescriptorsAgain() throws Exception {
        connectDuringShortage(10);
        long start = System.nanoTime();
        int loops = loopsFor(SOME_PAUSES);
        long pauses = 1 + (System.nanoTime() - start) / PAUSE.toNanos();
        assertEquals(1, services.size());
        assertTrue(loops <= 10 * pauses, () -> loops + " loops in " + pauses + " pauses");
        shortage.end();
        runUntil(() -> services.size() == 11);
        connect(1);
        runUntil(() -> services.size() == 12);
    }

    @Test
    void shortagesComeAndGo() throws Exception {
        for (int i = 1; i <= 3; i++) {
            connectDuringShortage(1);
            loopsFor(Duration.ofMillis(1));
            assertEquals(i, services.size());
            shortage.end();
            int expected = i + 1;
            runUntil(() -> services.size() == expected);
        }
    }

    @Test
    void theAcceptorMayBeClosedInTheMeantime() throws Exception {
        connectDuringShortage(1);
        loopsFor(Duration.ofMillis(1));
        acceptor.close();
        shortage.end();
        loopsFor(SOME_PAUSES);
        assertEquals(1, services.size());
    }

    @Test
    void theProactorMayBeClosedInTheMeantime() throws Exception {
        connectDuringShortage(1);
        loopsFor(Duration.ofMillis(1));
        proactor.close();
        assertFalse(socket.handle().isOpen());
        shortage.end();
        assertEquals(1, services.size());
    }
}
