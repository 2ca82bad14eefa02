package dev.sluice.samples.soak;

import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.RespClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Deposits to an account that no other client uses, and checks its balance. */
final class BankConversation implements Conversation {

    private static final int LOOKS = 295;
    private static final int DEPOSITS = 5;

    private final InetSocketAddress address;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Long> balances = new ConcurrentHashMap<>();
    private final AtomicLong accounts = new AtomicLong();
    private final ThreadLocal<Long> account = ThreadLocal.withInitial(
            () -> accounts.getAndIncrement() % (BackEndSample.BRANCHES * BackEndSample.ACCOUNTS));

    BankConversation(InetSocketAddress address) {
        this.address = address;
    }

    @Override
    public int hold(Random random) throws IOException {
        long mine = account.get();
        try (RespClient client = new RespClient(address)) {
            for (int i = 0; i < DEPOSITS; i++) {
                deposit(client, mine, random.nextInt(20_001) - 10_000);
            }
            for (int i = 0; i < LOOKS; i++) {
                expect(balances.get(mine), client.ask("BALANCE", mine));
            }
            client.endOutput();
            client.expectEnd();
        }
        return DEPOSITS + LOOKS;
    }

    private void deposit(RespClient client, long mine, long amount) throws IOException {
        long branch = mine / BackEndSample.ACCOUNTS;
        Object reply = client.ask("DEPOSIT", mine, branch * BackEndSample.TELLERS, branch, amount,
                "soak-" + ids.getAndIncrement());
        expect(balances.merge(mine, amount, Long::sum), reply);
    }

    private static void expect(Long expected, Object reply) {
        if (!expected.equals(reply)) {
            throw new AssertionError("not " + expected + ": " + reply);
        }
    }
}
