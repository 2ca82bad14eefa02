package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.LinkRelay;
import dev.sluice.samples.oltp.OltpSystem;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.RespClient.Failure;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client has pipelined, when links are lost in the middle of it. */
@EnabledOnOs(OS.LINUX)
class PipelineOrderTest {

    private static final int CLIENTS = 4;
    private static final int GROUPS = 20;

    @TempDir
    private Path directory;

    private final AtomicInteger answered = new AtomicInteger();
    private volatile boolean over;

    /** A client with an account of its own, who deposits 1 twice, asks for the balance, and so on. */
    private final class Client {

        private final int number;
        private final RespClient connection;
        private final List<String> acknowledged = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();
        private int groups;
        private long balance;

        Client(int number, InetSocketAddress front) throws Exception {
            this.number = number;
            this.connection = new RespClient(front);
        }

        private long account() {
            // Odd branches are on the second back-end where there are two.
            return BackEndSample.ACCOUNTS + number;
        }

        private Object[] deposit(String id) {
            return new Object[] {"DEPOSIT", account(), BackEndSample.TELLERS, 1, 1, id};
        }

        Client run() throws Exception {
            while (!over) {
                int failedBefore = failed.size();
                pipeline();
                if (failed.size() > failedBefore) {
                    Patience.until("the back-end is there", () -> connection.ask("BALANCE", account()) instanceof Long);
                }
            }
            return this;
        }

        private void pipeline() throws Exception {
            StringBuilder requests = new StringBuilder();
            for (int i = groups; i < groups + GROUPS; i++) {
                requests.append(RespClient.request(deposit(id(i, "a")))).append(RespClient.request(deposit(id(i, "b"))))
                        .append(RespClient.request("BALANCE", account()));
            }
            connection.send(requests.toString());
            for (int end = groups + GROUPS; groups < end; groups++) {
                receiveDeposit(id(groups, "a"));
                receiveDeposit(id(groups, "b"));
                if (connection.receive() instanceof Long seen) {
                    // Those that have failed may have been made or not.
                    assertTrue(balance <= seen && seen <= acknowledged.size() + failed.size(),
                            () -> seen + " after " + balance);
                    balance = seen;
                }
                answered.incrementAndGet();
            }
        }

        private String id(int group, String which) {
            return number + "-" + group + which;
        }

        private void receiveDeposit(String id) throws Exception {
            Object reply = connection.receive();
            if (reply instanceof Long after) {
                assertTrue(after > balance, () -> id + ": " + after + " after " + balance);
                balance = after;
                acknowledged.add(id);
            } else {
                Failure failure = assertInstanceOf(Failure.class, reply);
                assertTrue(failure.message().startsWith("FAIL "), failure::message);
                failed.add(id);
            }
        }

        void finish() throws Exception {
            for (String id : failed) {
                assertInstanceOf(Long.class, connection.ask(deposit(id)));
            }
            assertEquals(2L * groups, connection.ask("BALANCE", account()));
            connection.close();
        }

        void assertMadeInOrder(Path bank) throws Exception {
            List<String> made = new ArrayList<>();
            try (Connection books = DriverManager.getConnection("jdbc:sqlite:" + bank.resolve("bank.db"));
                    ResultSet row = books.createStatement().executeQuery(
                            "SELECT request FROM history WHERE aid = " + account() + " ORDER BY hid")) {
                while (row.next()) {
                    made.add(row.getString(1));
                }
            }
            assertEquals(2 * groups, made.size());
            made.removeAll(failed);
            assertEquals(acknowledged, made);
        }
    }

    private interface Disturbance {
        void happen() throws Exception;
    }

    private List<Client> run(InetSocketAddress front, int times, Disturbance disturbance) throws Exception {
        List<Client> clients = new ArrayList<>();
        List<Background<Client>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Client client = new Client(i, front);
            clients.add(client);
            running.add(Background.run(client::run));
        }
        for (int i = 0; i <= times; i++) {
            int enough = answered.get() + 2 * CLIENTS * GROUPS;
            Patience.until("answers", () -> answered.get() >= enough || running.stream().anyMatch(Background::isDone));
            if (i < times) {
                disturbance.happen();
            }
        }
        over = true;
        for (Background<Client> each : running) {
            each.result();
        }
        for (Client client : clients) {
            client.finish();
        }
        return clients;
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void staysInOrderWhenABackEndIsKilled(ConcurrencyStrategy pool) throws Exception {
        List<Client> clients;
        try (OltpSystem system = OltpSystem.startKillable(JavaHome.own(), directory, pool, 1)) {
            clients = run(system.front().awaitAddress(), Depth.times(1, 1, 2), () -> {
                system.backEnd(1).kill();
                system.restart(1);
            });
            system.stop();
        }
        for (Client client : clients) {
            client.assertMadeInOrder(directory.resolve("back1"));
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void staysInOrderWhenLinksAreCut(ConcurrencyStrategy pool) throws Exception {
        List<Client> clients;
        try (BackEndSample back = BackEndSample.start(directory, pool);
                LinkRelay links = new LinkRelay(back.address());
                RunningSample front = SampleCommand.of("oltp-front", "--back", "127.0.0.1:" + links.address().getPort(),
                        "--port", "0", "--concurrency", pool.toString()).start()) {
            front.awaitAddress();
            Patience.until("four links", () -> links.count() == 4);
            try (RespClient observer = new RespClient(front.awaitAddress())) {
                clients = run(front.awaitAddress(), 3, () -> {
                    int before = sentAgain(observer);
                    Patience.until("a request is sent again", () -> {
                        links.cut();
                        Patience.until("four links again", () -> links.count() == 4);
                        return sentAgain(observer) > before;
                    });
                });
            }
            front.stop();
            back.stop();
        }
        for (Client client : clients) {
            client.assertMadeInOrder(directory);
        }
    }

    private static int sentAgain(RespClient observer) throws Exception {
        return Integer.parseInt(observer.ask("INFO", "back-ends").toString()
                .replaceAll("(?s).*,sent_again=(\\d+),.*", "$1"));
    }
}
