package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.sluice.samples.Patience;
import dev.sluice.samples.oltp.RespClient.Failure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that deposit, one request at a time each. One whose connection breaks connects again, to wherever the server
 * is by then, and repeats its request with the same id, as does one whose server says that it failed.
 */
public final class DepositLoad implements AutoCloseable {

    private static final long BETWEEN_ATTEMPTS = TimeUnit.MILLISECONDS.toNanos(20);

    /** What was acknowledged. */
    public record Acknowledged(long account, long amount, long balance) { }

    private final Map<String, Acknowledged> acknowledged = new ConcurrentHashMap<>();
    private final List<Throwable> problems = new ArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final CountDownLatch running;
    private volatile InetSocketAddress address;
    private volatile boolean over;
    private volatile boolean abandoned;

    private DepositLoad(InetSocketAddress address, int clients) {
        this.address = address;
        this.running = new CountDownLatch(clients);
    }

    /** Starts clients that make some deposits each, to random accounts. */
    public static DepositLoad start(InetSocketAddress address, int clients, int each) {
        DepositLoad load = new DepositLoad(address, clients);
        for (int i = 0; i < clients; i++) {
            int client = i;
            Thread thread = new Thread(() -> load.run(client, each), "client " + i);
            thread.setDaemon(true);
            thread.start();
        }
        return load;
    }

    /** Starts clients that go on making deposits, to random accounts, until {@link #end()}. */
    public static DepositLoad start(InetSocketAddress address, int clients) {
        return start(address, clients, Integer.MAX_VALUE);
    }

    /** The server is elsewhere now. */
    public void moved(InetSocketAddress to) {
        address = to;
    }

    public int acknowledgedCount() {
        return acknowledged.size();
    }

    /** {@return the number of requests that had to be repeated because the server said so} */
    public int failures() {
        return failures.get();
    }

    /** Ends each client with the deposit that it is making, and waits for that. */
    public Map<String, Acknowledged> end() throws InterruptedException {
        over = true;
        return await();
    }

    /** Stops the remaining clients, so that a failed test leaves none behind. */
    @Override
    public void close() {
        over = true;
        abandoned = true;
    }

    /** Waits until all have made their deposits. */
    public Map<String, Acknowledged> await() throws InterruptedException {
        if (!running.await(5 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            fail("only " + acknowledged.size() + " deposits were acknowledged");
        }
        synchronized (problems) {
            assertEquals(List.of(), problems);
        }
        return acknowledged;
    }

    private void run(int client, int each) {
        Random random = new Random(client);
        RespClient connection = null;
        try {
            for (int n = 0; n < each && !over; n++) {
                int branch = random.nextInt(BackEndSample.BRANCHES);
                long account = branch * BackEndSample.ACCOUNTS + random.nextInt(BackEndSample.ACCOUNTS);
                int teller = branch * BackEndSample.TELLERS + random.nextInt(BackEndSample.TELLERS);
                long amount = random.nextInt(20_001) - 10_000;
                String id = client + "-" + n;
                Object reply = null;
                while (reply == null) {
                    if (abandoned) {
                        throw new IllegalStateException("given up");
                    }
                    try {
                        if (connection == null) {
                            connection = new RespClient(address);
                        }
                        reply = connection.ask("DEPOSIT", account, teller, branch, amount, id);
                        if (reply instanceof Failure failure && failure.message().startsWith("FAIL ")) {
                            failures.incrementAndGet();
                            reply = null;
                            LockSupport.parkNanos(BETWEEN_ATTEMPTS);
                        }
                    } catch (IOException e) {
                        if (connection != null) {
                            connection.close();
                            connection = null;
                        }
                        LockSupport.parkNanos(BETWEEN_ATTEMPTS);
                    }
                }
                if (!(reply instanceof Long balance)) {
                    throw new AssertionError(id + ": " + reply);
                }
                acknowledged.put(id, new Acknowledged(account, amount, balance));
            }
            if (connection != null) {
                connection.close();
            }
        } catch (Throwable e) {
            synchronized (problems) {
                problems.add(e);
            }
        } finally {
            running.countDown();
        }
    }

    /** {@return those of what was acknowledged whose branch is this one modulo the number of back-ends} */
    public static Map<String, Acknowledged> ofBackEnd(Map<String, Acknowledged> all, int index, int backEnds) {
        Map<String, Acknowledged> some = new HashMap<>(all);
        some.values().removeIf(each -> each.account() / BackEndSample.ACCOUNTS % backEnds != index);
        return some;
    }

    /** Compares a closed bank with what was acknowledged: each deposit is there, once, and no other. */
    public static void assertBooks(Path data, Map<String, Acknowledged> expected) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("bank.db"));
                Statement statement = connection.createStatement()) {
            Map<String, Acknowledged> history = new HashMap<>();
            try (ResultSet row = statement.executeQuery("SELECT request, aid, delta, abalance FROM history")) {
                while (row.next()) {
                    Acknowledged before = history.put(row.getString(1),
                            new Acknowledged(row.getLong(2), row.getLong(3), row.getLong(4)));
                    assertEquals(null, before, "twice");
                }
            }
            assertEquals(expected.size(), history.size());
            assertTrue(expected.equals(history), "the history is another one than was acknowledged");
            for (String wrong : List.of(
                    "SELECT count(*) FROM accounts LEFT JOIN (SELECT aid, sum(delta) AS total FROM history GROUP BY"
                            + " aid) USING (aid) WHERE abalance <> coalesce(total, 0)",
                    "SELECT count(*) FROM tellers LEFT JOIN (SELECT tid, sum(delta) AS total FROM history GROUP BY"
                            + " tid) USING (tid) WHERE tbalance <> coalesce(total, 0)",
                    "SELECT count(*) FROM branches b WHERE bbalance <>"
                            + " (SELECT sum(abalance) FROM accounts a WHERE a.bid = b.bid)")) {
                try (ResultSet count = statement.executeQuery(wrong)) {
                    assertEquals(0, count.getInt(1), wrong);
                }
            }
        }
    }
}
