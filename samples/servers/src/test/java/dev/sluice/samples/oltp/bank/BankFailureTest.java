package dev.sluice.samples.oltp.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.oltp.bank.Deposit.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deposits that the tables cannot take. */
class BankFailureTest {

    private static final BankSize SIZE = new BankSize(2, 3, 10);

    @TempDir
    private Path directory;

    private void change(String... statements) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("bank.db"));
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.executeUpdate(each);
            }
        }
    }

    /** The neighbours in its group have nothing to do with it, and no half of it is left. */
    @ParameterizedTest
    @CsvSource({"accounts SET abalance, aid = 1", "tellers SET tbalance, tid = 1", "branches SET bbalance, bid = 0"})
    void refusesADepositBeyondTheRangeOfABalance(String column, String row) throws Exception {
        Bank.open(directory, SIZE).close();
        change("UPDATE " + column + " = 9223372036854775800 WHERE " + row);
        try (Bank bank = Bank.open(directory, SIZE)) {
            long before = bank.balance(1);
            Deposit first = new Deposit().set(2, 2, 0, 1, "a");
            Deposit beyond = new Deposit().set(1, 1, 0, 8, "b");
            Deposit last = new Deposit().set(12, 3, 1, 5, "c");
            bank.deposit(List.of(first, beyond, last));
            assertEquals(Outcome.MADE, first.outcome(), first::problem);
            assertEquals(Outcome.REFUSED, beyond.outcome(), beyond::problem);
            assertEquals("a balance would be beyond 64 bits", beyond.problem());
            assertEquals(Outcome.MADE, last.outcome(), last::problem);
            assertEquals(before, bank.balance(1));
            assertEquals(new BankCounts(2, 0, 1, 1), bank.counts());
            // It was not made, so its identity is free.
            Deposit down = new Deposit().set(1, 1, 0, -7, "b");
            bank.deposit(List.of(down));
            assertEquals(Outcome.MADE, down.outcome(), down::problem);
            assertEquals(before - 7, down.balance());
        }
    }

    @Test
    void leavesNoHalfOfAGroupThatFails() throws Exception {
        Bank.open(directory, SIZE).close();
        change("CREATE TRIGGER stop BEFORE INSERT ON history WHEN NEW.delta = 13 "
                + "BEGIN SELECT raise(ROLLBACK, 'unlucky'); END");
        try (Bank bank = Bank.open(directory, SIZE)) {
            for (int i = 1; i <= 3; i++) {
                Deposit before = new Deposit().set(2, 2, 0, 1, null);
                Deposit unlucky = new Deposit().set(1, 1, 0, 13, null);
                bank.deposit(List.of(before, unlucky));
                assertEquals(Outcome.FAILED, before.outcome());
                assertEquals(Outcome.FAILED, unlucky.outcome());
                assertEquals(0, bank.balance(1));
                assertEquals(0, bank.balance(2));
                Deposit after = new Deposit().set(3, 1, 0, 5, null);
                bank.deposit(List.of(after));
                assertEquals(Outcome.MADE, after.outcome(), after::problem);
                assertEquals(5L * i, bank.balance(3));
            }
            assertTrue(bank.totals().stream().allMatch(BranchTotals::agree));
        }
    }
}
