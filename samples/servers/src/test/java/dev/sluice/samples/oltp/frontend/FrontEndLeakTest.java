package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.samples.Background;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.Churn;
import dev.sluice.samples.oltp.OltpSystem;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.pool.OltpProtocol;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.Surroundings;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Descriptors, threads and native memory: of clients that are gone, of links that are, and of the whole server. */
@EnabledOnOs(OS.LINUX)
class FrontEndLeakTest {

    private static final int LINKS = 4;
    /** The first is the one that the clients deposit at. */
    private static final int LOST = Depth.current() == Depth.VERIFY ? 1 : OltpSystem.BACK_ENDS;

    @TempDir
    private Path directory;

    /** The two ways to wait for a link; what differs between the other models concerns clients alone. */
    static Stream<ConcurrencyStrategy> waysToWait(TestInfo test) {
        return Depth.first(test, Stream.of(ConcurrencyStrategy.LEADER_FOLLOWERS,
                ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC), 1);
    }

    @ParameterizedTest
    @MethodSource("waysToWait")
    @Tag(Depth.IN_MATRIX)
    void keepsNothingOfConnectionsThatAreGone(ConcurrencyStrategy pool) throws Exception {
        ProcessFigures figures = ProcessFigures.ofThisJvm();
        // Besides these, the listening one and the links.
        long sockets = figures.openSockets() + 1 + OltpSystem.BACK_ENDS * LINKS;
        try (OltpSystem system = OltpSystem.startKillable(JavaHome.own(), directory, pool, 0, 1)) {
            InetSocketAddress address = system.front().awaitAddress();
            Churn.run(address);
            awaitAlone(figures, sockets);
            long before = figures.openDescriptors();
            for (int i = 0; i < LOST; i++) {
                system.backEnd(i).kill();
                Churn.run(address);
                system.restart(i);
                system.awaitBackEnds(line -> line.contains("links=" + LINKS));
                Churn.run(address);
            }
            awaitAlone(figures, sockets);
            assertEquals(before, figures.openDescriptors());
            assertEquals(pool == ConcurrencyStrategy.LEADER_FOLLOWERS ? 16 : 0, figures.countOfThreads("pool-"));
            system.stop();
        }
    }

    private static void awaitAlone(ProcessFigures figures, long sockets) throws Exception {
        Patience.until("no client is left", () -> figures.openSockets() == sockets);
        Patience.until("their threads are gone", () -> figures.countOfThreads("connection") == 0);
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void leavesNothingBehindWhenItEnds(ConcurrencyStrategy pool) throws Exception {
        ProcessFigures figures = ProcessFigures.ofThisJvm();
        try (BackEndSample back = BackEndSample.startProcess(directory, pool)) {
            serve(pool, back.address());
            awaitEndOfThreads();
            // What the first one has loaded for all that follow may stay.
            long descriptors = figures.openDescriptors();
            long bytes = MemoryInUse.bytes();
            for (int i = 0; i < 3; i++) {
                serve(pool, back.address());
            }
            awaitEndOfThreads();
            assertEquals(descriptors, figures.openDescriptors());
            Patience.until(() -> MemoryInUse.bytes() + " bytes of memory in use instead of " + bytes,
                    () -> MemoryInUse.bytes() <= bytes);
            back.stop();
        }
    }

    private static void awaitEndOfThreads() throws Exception {
        Patience.until(() -> "no thread is left of " + threads(), () -> threads().isEmpty());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> Stream.of("oltp-front", "links", "pool-", "worker", "connection")
                        .anyMatch(name::startsWith))
                .toList();
    }

    /** Serves in this process, and ends in order while clients are connected. */
    private static void serve(ConcurrencyStrategy pool, InetSocketAddress back) throws Exception {
        InetSocketAddress address = FreePort.address();
        Options options = new Options();
        new CommandLine(options, Surroundings.ofProcess().factory())
                .parseArgs("--port", Integer.toString(address.getPort()));
        options.server.apply(Mode.SYNCHRONOUS, null);
        StopRequest stop = new StopRequest();
        Background<Void> serving = Background.run(() -> {
            try (BackEnds backEnds = new BackEnds(List.of(back), LINKS, Duration.ofSeconds(60),
                    options.server.openReactors("links", 1), stop::fail)) {
                if (pool != ConcurrencyStrategy.LEADER_FOLLOWERS) {
                    backEnds.connect();
                }
                pool.serve(new OltpProtocol("oltp-front", pool, new FrontEnd(backEnds), ConnectionLimit.NONE),
                        options.server, 4, stop);
            }
            return null;
        });
        Patience.until("it accepts", () -> serving.isDone() || accepts(address));
        Churn.run(address);
        try (RespClient idle = new RespClient(address); RespClient client = new RespClient(address)) {
            assertEquals("PONG", idle.ask("PING"));
            assertEquals(0L, client.ask("BALANCE", 2));
            stop.request();
            idle.expectEnd();
            client.expectEnd();
            serving.result();
        }
    }

    private static boolean accepts(InetSocketAddress address) {
        try (RespClient client = new RespClient(address)) {
            return client.ask("PING").equals("PONG");
        } catch (IOException e) {
            return false;
        }
    }

    @CommandLine.Command
    private static final class Options {
        @CommandLine.Mixin
        private ServerOptions server;
    }
}
