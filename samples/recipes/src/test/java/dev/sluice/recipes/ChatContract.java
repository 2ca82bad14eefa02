package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.SampleProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a chat promises. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process there gets no SIGTERM")
public abstract class ChatContract {

    private static final int TIMEOUT_MILLIS = 60_000;

    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the chat
     */
    protected ChatContract(Recipe recipe) {
        this.recipe = recipe;
    }

    /** A client that reads lines. */
    private record Client(Socket socket, BufferedReader in) implements AutoCloseable {

        static Client connect(InetSocketAddress address) throws IOException {
            Socket socket = new Socket(address.getAddress(), address.getPort());
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return new Client(socket, new BufferedReader(new InputStreamReader(socket.getInputStream())));
        }

        void say(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes());
        }

        String said(String line) {
            return socket.getLocalSocketAddress() + ": " + line;
        }

        /** Skips what others say. */
        void awaitLine(String line) throws IOException {
            String next;
            do {
                next = in.readLine();
            } while (next != null && !next.equals(line));
            assertEquals(line, next);
        }

        /** Waits until the server has accepted it. */
        void await() throws IOException {
            say("hello\n");
            assertEquals(said("hello"), in.readLine());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void sendsLinesToAllUntilItIsStopped() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address);
                Client first = Client.connect(address)) {
            first.await();
            try (Client second = Client.connect(address)) {
                second.await();
                assertEquals(second.said("hello"), first.in.readLine());
                first.say("to ");
                first.say("all\r\n\ntwo\n");
                for (Client each : new Client[] {first, second}) {
                    assertEquals(first.said("to all"), each.in.readLine());
                    assertEquals(first.said(""), each.in.readLine());
                    assertEquals(first.said("two"), each.in.readLine());
                }
            }
            first.say("x".repeat(1024) + "\n");
            assertEquals(first.said("x".repeat(1024)), first.in.readLine());
            server.terminate();
            assertNull(first.in.readLine());
            first.close();
            recipe.awaitStop(server);
            assertEquals("", server.errors().text());
        }
    }

    @Test
    void sendsTheRestToAClientThatHasShutDownItsOutput() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address); Client client = Client.connect(address)) {
            client.say("good\nbye\n");
            client.socket.shutdownOutput();
            assertEquals(client.said("good"), client.in.readLine());
            assertEquals(client.said("bye"), client.in.readLine());
            assertNull(client.in.readLine());
            assertTrue(server.isAlive());
        }
    }

    @Test
    void cutsOffClientsThatDoNotReadOrNeverEndALine() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address);
                Client reads = Client.connect(address);
                Client neverReads = Client.connect(address);
                Client neverEnds = Client.connect(address)) {
            reads.await();
            neverReads.say("hello\n");
            assertEquals(neverReads.said("hello"), reads.in.readLine());
            neverEnds.say("y".repeat(2000));
            assertThrows(IOException.class, () -> {
                while (neverEnds.in.readLine() != null) {
                    continue;
                }
                throw new IOException("the end");
            });
            String line = "z".repeat(1000);
            boolean open = true;
            for (int i = 0; i < 100_000 && open; i++) {
                reads.say(line + "\n");
                reads.awaitLine(reads.said(line));
                open = i % 1000 != 999 || isOpen(neverReads);
            }
            assertTrue(!open, "a client that does not read is kept");
            assertTrue(server.isAlive());
        }
    }

    /** A peer that has been cut off answers with a reset. */
    private static boolean isOpen(Client client) {
        try {
            client.say("\n");
            Thread.sleep(20);
            client.say("\n");
            return true;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }
}
