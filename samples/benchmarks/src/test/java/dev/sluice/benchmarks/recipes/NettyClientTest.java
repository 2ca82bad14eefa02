package dev.sluice.benchmarks.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.recipes.FrameEcho;
import dev.sluice.recipes.Recipe;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_MATRIX)
class NettyClientTest {

    private static final int CALLS = 1024;

    private final List<String> answers = new CopyOnWriteArrayList<>();
    private final List<IOException> failures = new CopyOnWriteArrayList<>();
    private final Recipe server = Recipe.of(FrameEcho.class);
    private InetSocketAddress address;
    private EventLoopGroup group;
    private EventLoop loop;
    private NettyClient client;

    @BeforeEach
    void open() throws Exception {
        address = FreePort.address();
        group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        loop = group.next();
    }

    private void connect() throws Exception {
        client = loop.submit(() -> new NettyClient(loop, address)).get();
    }

    @AfterEach
    void close() {
        assertTrue(group.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    /** On the loop thread. */
    private boolean start(String text) {
        return client.call(Unpooled.copiedBuffer(text, UTF_8), (answer, failure) -> {
            if (failure == null) {
                answers.add(answer.toString(UTF_8));
            } else {
                failures.add(failure);
            }
        });
    }

    private boolean call(String text) throws Exception {
        return loop.submit(() -> start(text)).get();
    }

    @Test
    void callsAreAnsweredWhicheverAreInFlight() throws Exception {
        try (SampleProcess running = server.listening(address)) {
            connect();
            Patience.until("the connection", () -> call("0"));
            Patience.until("the answer", () -> answers.size() == 1);
            // At once, so that none is answered meanwhile.
            long started = loop.submit(() -> IntStream.rangeClosed(1, CALLS + 1)
                    .filter(each -> start(Integer.toString(each))).count()).get();
            assertEquals(CALLS, started);
            Patience.until("the answers", () -> answers.size() == 1 + CALLS);
            for (int i = 0; i <= CALLS; i++) {
                assertEquals(Integer.toString(i), answers.get(i));
            }
            assertTrue(failures.isEmpty(), failures::toString);
            assertTrue(running.isAlive());
        }
    }

    @Test
    void callThatIsNotAnsweredFailsInTime() throws Exception {
        try (SampleProcess running = server.listening(address)) {
            connect();
            Patience.until("the connection", () -> call("!not to be answered"));
            assertTrue(call("answered"));
            Patience.until("both", () -> answers.size() == 1 && failures.size() == 1);
            assertInstanceOf(SocketTimeoutException.class, failures.get(0));
            assertTrue(running.isAlive());
        }
    }

    @Test
    void connectsAgainWhenTheServerHasBeenKilledAndStarted() throws Exception {
        connect();
        for (int round = 1; round <= 2; round++) {
            int expected = round;
            try (SampleProcess running = server.listening(address)) {
                Patience.until("the connection", () -> call("hello"));
                Patience.until("the answer", () -> answers.size() == expected);
                assertTrue(call("!not to be answered"));
                assertTrue(running.isAlive());
            }
            Patience.until("the loss", () -> failures.size() == expected);
            assertFalse(failures.get(round - 1) instanceof SocketTimeoutException, failures::toString);
        }
    }
}
