package dev.sluice.samples.oltp.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.oltp.bank.Deposit.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lack of memory in any call of the database: no client gets the reply that a deposit is made if it is not. */
class LedgerErrorTest {

    private static final BankSize SIZE = new BankSize(2, 3, 10);
    private static final Set<String> CALLS = Set.of("executeQuery", "executeUpdate", "commit", "rollback");

    @TempDir
    private Path directory;

    /** Number of calls that are left until one fails; none does below 0. */
    private int callsLeft = -1;

    /** The same, but for the calls that fail, before or after they have been made. */
    private <T> T failing(Class<T> type, T real, boolean after) {
        Class<?>[] types = {type};
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, (proxy, method, values) -> {
            boolean fails = CALLS.contains(method.getName()) && callsLeft-- == 0;
            if (fails && !after) {
                throw new OutOfMemoryError("as the test wants it");
            }
            Object result;
            try {
                result = method.invoke(real, values);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (fails) {
                throw new OutOfMemoryError("as the test wants it");
            }
            return result instanceof PreparedStatement statement
                    ? failing(PreparedStatement.class, statement, after) : result;
        }));
    }

    private static Deposit deposit(int account, int branch, String id) {
        return new Deposit().set(account, 3L * branch, branch, 1, id);
    }

    @Test
    void nothingIsMadeThatIsNotCommitted() throws Exception {
        Bank.open(directory, SIZE).close();
        for (boolean after : new boolean[] {false, true}) {
            int failures = 0;
            boolean failed = true;
            for (int call = 0; failed; call++) {
                failed = failsAt(call, after);
                failures += failed ? 1 : 0;
            }
            // Two deposits of five statements, the commit.
            assertTrue(failures >= 11, failures + " calls");
        }
    }

    private boolean failsAt(int call, boolean after) throws Exception {
        String id = after + "-" + call;
        long before = deposits();
        boolean failed = false;
        boolean committed;
        Deposit first = deposit(1, 0, id + "-first");
        Deposit second = deposit(12, 1, id + "-second");
        Deposit third = deposit(2, 0, id + "-third");
        try (Ledger ledger = new Ledger(failing(Connection.class, new Database(directory).openWriter(), after), SIZE)) {
            GroupCommit commits = new GroupCommit(ledger);
            callsLeft = call;
            try {
                commits.post(List.of(first, second));
            } catch (OutOfMemoryError e) {
                failed = true;
            }
            callsLeft = -1;
            committed = deposits() > before;
            commits.post(List.of(third));
        }
        assertEquals(Outcome.MADE, third.outcome(), third::problem);
        for (Deposit each : List.of(first, second)) {
            if (failed) {
                assertEquals(Outcome.FAILED, each.outcome(), () -> "call " + call);
            } else {
                assertEquals(Outcome.MADE, each.outcome(), each::problem);
            }
        }
        assertTrue(!committed || !failed || after, "what has failed was committed");
        assertNotEquals(before + 2, deposits(), "a half of the group");
        return failed;
    }

    /** {@return how many there are in the history, which the balances agree with} */
    private long deposits() throws Exception {
        try (AccountReader reader = new AccountReader(new Database(directory).openReader())) {
            List<BranchTotals> totals = reader.totals();
            assertTrue(totals.stream().allMatch(BranchTotals::agree), totals::toString);
            return totals.stream().mapToLong(BranchTotals::deposits).sum();
        }
    }
}
