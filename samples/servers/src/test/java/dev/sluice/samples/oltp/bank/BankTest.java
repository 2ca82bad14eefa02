package dev.sluice.samples.oltp.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.oltp.bank.Deposit.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BankTest {

    private static final BankSize SIZE = new BankSize(2, 3, 10);

    @TempDir
    private Path directory;

    private Bank open() throws IOException {
        return Bank.open(directory, SIZE);
    }

    private static Deposit deposit(Bank bank, long account, long teller, long branch, long amount, String id) {
        Deposit deposit = new Deposit().set(account, teller, branch, amount, id);
        bank.deposit(List.of(deposit));
        return deposit;
    }

    private static void assertMade(long balance, Deposit deposit) {
        assertEquals(Outcome.MADE, deposit.outcome(), deposit::problem);
        assertEquals(balance, deposit.balance());
    }

    @Test
    void keepsItsBooks() throws Exception {
        try (Bank bank = open()) {
            assertMade(50, deposit(bank, 3, 2, 0, 50, null));
            assertMade(30, deposit(bank, 3, 0, 0, -20, null));
            assertMade(-7, deposit(bank, 19, 5, 1, -7, null));
            assertEquals(30, bank.balance(3));
            assertEquals(0, bank.balance(4));
            assertEquals(new BankCounts(3, 0, 0, 3), bank.counts());
        }
        try (Bank bank = Bank.open(directory, new BankSize(7, 7, 7))) {
            assertEquals(SIZE, bank.size());
            assertEquals(30, bank.balance(3));
            assertEquals(List.of(new BranchTotals(0, 30, 30, 30, 30, 2), new BranchTotals(1, -7, -7, -7, -7, 1)),
                    bank.totals());
        }
    }

    @Test
    void makesARepeatedDepositOnce() throws Exception {
        try (Bank bank = open()) {
            assertMade(5, deposit(bank, 1, 1, 0, 5, "a"));
            assertMade(12, deposit(bank, 1, 1, 0, 7, "b"));
            assertMade(5, deposit(bank, 1, 1, 0, 5, "a"));
        }
        try (Bank bank = open()) {
            assertMade(5, deposit(bank, 1, 1, 0, 5, "a"));
            assertMade(12, deposit(bank, 1, 1, 0, 7, "b"));
            assertEquals(12, bank.balance(1));
            assertEquals(new BankCounts(0, 2, 0, 0), bank.counts());
        }
    }

    @Test
    void makesADepositOnceThatIsTwiceInAGroup() throws Exception {
        try (Bank bank = open()) {
            List<Deposit> group = Stream.generate(() -> new Deposit().set(1, 1, 0, 5, "a")).limit(3).toList();
            bank.deposit(group);
            group.forEach(deposit -> assertMade(5, deposit));
            assertEquals(new BankCounts(1, 2, 0, 1), bank.counts());
        }
    }

    @Test
    void refusesAnotherDepositOfTheSameIdentity() throws Exception {
        try (Bank bank = open()) {
            deposit(bank, 1, 1, 0, 5, "a");
            for (Deposit other : List.of(deposit(bank, 1, 1, 0, 6, "a"), deposit(bank, 2, 1, 0, 5, "a"),
                    deposit(bank, 1, 2, 0, 5, "a"))) {
                assertEquals(Outcome.REFUSED, other.outcome());
                assertEquals("request a was another deposit", other.problem());
            }
            assertEquals(5, bank.totals().get(0).accounts());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 2, 5, there is no branch 2", "1, 1, -1, 5, there is no branch -1",
        "1, 6, 0, 5, there is no teller 6", "20, 1, 0, 5, there is no account 20",
        "1, 3, 0, 5, teller 3 is not of branch 0", "10, 1, 0, 5, account 10 is not of branch 0",
        "1, 1, 0, 1000000001, the amount 1000000001 is beyond 1000000000",
        "1, 1, 0, -9223372036854775808, the amount -9223372036854775808 is beyond 1000000000"})
    void refusesWhatCannotBe(long account, long teller, long branch, long amount, String problem) throws Exception {
        try (Bank bank = open()) {
            Deposit refused = new Deposit().set(account, teller, branch, amount, "id");
            Deposit before = new Deposit().set(1, 1, 0, 3, null);
            Deposit after = new Deposit().set(1, 1, 0, 4, null);
            bank.deposit(List.of(before, refused, after));
            assertEquals(Outcome.REFUSED, refused.outcome());
            assertEquals(problem, refused.problem());
            assertMade(3, before);
            assertMade(7, after);
            assertEquals(new BankCounts(2, 0, 1, 1), bank.counts());
            assertTrue(bank.totals().stream().allMatch(BranchTotals::agree));
            // It was not made, so its identity is free.
            assertMade(8, deposit(bank, 1, 1, 0, 1, "id"));
        }
    }

    @Test
    void servesManyThreads() throws Exception {
        int threads = 8;
        int each = 300;
        try (Bank bank = open()) {
            List<Background<Long>> clients = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int client = i;
                clients.add(Background.run(() -> {
                    // Each client has a twin, who asks for the same.
                    Random random = new Random(client / 2);
                    long sum = 0;
                    for (int n = 0; n < each; n++) {
                        int branch = random.nextInt(2);
                        long amount = random.nextInt(2001) - 1000;
                        Deposit deposit = deposit(bank, 10L * branch + random.nextInt(10),
                                3L * branch + random.nextInt(3), branch, amount, client / 2 + "." + n);
                        assertEquals(Outcome.MADE, deposit.outcome(), deposit::problem);
                        bank.balance(random.nextInt(20));
                        sum += amount;
                    }
                    return sum;
                }));
            }
            long expected = 0;
            for (Background<Long> client : clients) {
                expected += client.result();
            }
            List<BranchTotals> totals = bank.totals();
            assertTrue(totals.stream().allMatch(BranchTotals::agree), totals::toString);
            assertEquals(expected / 2, totals.stream().mapToLong(BranchTotals::accounts).sum());
            assertEquals(threads / 2 * each, totals.stream().mapToLong(BranchTotals::deposits).sum());
            assertEquals(threads / 2 * each, bank.counts().repeats());
        }
    }

    @Test
    void belongsToOneAtATime() throws Exception {
        try (Bank bank = open()) {
            IOException refusal = assertThrows(IOException.class, this::open);
            assertEquals("bank in " + directory + ": it is open in another process", refusal.getMessage());
            assertMade(1, deposit(bank, 1, 1, 0, 1, null));
        }
        open().close();
    }

    @Test
    void makesNothingOnceItIsClosed() throws Exception {
        Bank bank = open();
        bank.close();
        assertEquals(Outcome.FAILED, deposit(bank, 1, 1, 0, 1, null).outcome());
    }

    @Test
    void hasNoOtherAccounts() throws Exception {
        try (Bank bank = open()) {
            assertThrows(IllegalArgumentException.class, () -> bank.balance(20));
            assertThrows(IllegalArgumentException.class, () -> bank.balance(-1));
        }
    }
}
