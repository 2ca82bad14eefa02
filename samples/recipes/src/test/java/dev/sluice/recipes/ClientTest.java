package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.proactor.Proactor;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientTest {

    private static final int CALLS = 1024;

    private final List<String> answers = new ArrayList<>();
    private final List<IOException> failures = new ArrayList<>();
    private InetSocketAddress address;
    private Proactor proactor;

    @BeforeEach
    void open() throws IOException {
        address = FreePort.address();
        proactor = Proactor.open();
    }

    @AfterEach
    void close() {
        proactor.close();
    }

    private boolean call(Client client, String text) {
        return client.call(ByteBuffer.wrap(text.getBytes(UTF_8)), (answer, failure) -> {
            if (failure == null) {
                answers.add(UTF_8.decode(answer).toString());
            } else {
                failures.add(failure);
            }
        });
    }

    private void runUntil(String what, BooleanSupplier happened) throws Exception {
        Patience.until(what, () -> {
            proactor.runOnce(Duration.ofMillis(5));
            return happened.getAsBoolean();
        });
    }

    @Test
    void callsAreAnsweredWhicheverAreInFlight() throws Exception {
        try (SampleProcess server = Recipe.of(FrameEcho.class).listening(address)) {
            Client client = new Client(proactor, address);
            assertFalse(call(client, "too early"));
            runUntil("the connection", () -> call(client, "0"));
            for (int i = 1; i < CALLS; i++) {
                assertTrue(call(client, Integer.toString(i)));
            }
            assertFalse(call(client, "too many"));
            runUntil("the answers", () -> answers.size() == CALLS);
            for (int i = 0; i < CALLS; i++) {
                assertEquals(Integer.toString(i), answers.get(i));
            }
            assertTrue(failures.isEmpty(), failures::toString);
            assertTrue(server.isAlive());
        }
    }

    @Test
    void callThatIsNotAnsweredFailsInTime() throws Exception {
        try (SampleProcess server = Recipe.of(FrameEcho.class).listening(address)) {
            Client client = new Client(proactor, address);
            runUntil("the connection", () -> call(client, "!not to be answered"));
            call(client, "answered");
            runUntil("both", () -> answers.size() == 1 && failures.size() == 1);
            assertInstanceOf(SocketTimeoutException.class, failures.get(0));
            assertTrue(server.isAlive());
        }
    }

    @Test
    void eachCallThatIsAcceptedHasOneReply() throws Exception {
        try (ServerSocket silent = new ServerSocket()) {
            silent.bind(address);
            Client client = new Client(proactor, address);
            String text = "x".repeat(60 * 1024);
            runUntil("the connection", () -> call(client, text));
            int accepted = 1;
            while (call(client, text)) {
                accepted++;
            }
            assertTrue(accepted < CALLS, "the limit of the output ends the connection");
            int all = accepted;
            runUntil("the loss", () -> failures.size() >= all);
            proactor.runOnce(Duration.ZERO);
            assertEquals(all, failures.size());
        }
    }

    @Test
    void connectsAgainWhenTheServerHasBeenKilledAndStarted() throws Exception {
        Client client = new Client(proactor, address);
        for (int round = 1; round <= 2; round++) {
            int expected = round;
            try (SampleProcess server = Recipe.of(FrameEcho.class).listening(address)) {
                runUntil("the connection", () -> call(client, "hello"));
                runUntil("the answer", () -> answers.size() == expected);
                call(client, "!not to be answered");
                proactor.runOnce(Duration.ZERO);
                assertTrue(server.isAlive());
            }
            runUntil("the loss", () -> failures.size() == expected);
            assertFalse(failures.get(round - 1) instanceof SocketTimeoutException, failures::toString);
        }
    }

    @Test
    void connectsAgainAlsoIfAReplyThrowsAtTheLoss() throws Exception {
        Client client = new Client(proactor, address);
        boolean[] lost = new boolean[1];
        try (SampleProcess server = Recipe.of(FrameEcho.class).listening(address)) {
            runUntil("the connection", () -> call(client, "hello"));
            runUntil("the answer", () -> answers.size() == 1);
            assertTrue(client.call(ByteBuffer.wrap("!not to be answered".getBytes(UTF_8)), (answer, failure) -> {
                lost[0] = true;
                throw new IllegalStateException("a reply that throws");
            }));
            proactor.runOnce(Duration.ZERO);
            assertTrue(server.isAlive());
        }
        runUntil("the loss", () -> lost[0]);
        try (SampleProcess server = Recipe.of(FrameEcho.class).listening(address)) {
            runUntil("the connection", () -> call(client, "hello"));
            runUntil("the answer", () -> answers.size() == 2);
            assertTrue(server.isAlive());
        }
    }
}
