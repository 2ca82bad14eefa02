package dev.sluice.samples.oltp.bank;

import dev.sluice.samples.server.FileProblem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes deposits down. For one thread at a time, but for the counts. */
final class Ledger implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

    private final Connection connection;
    private final BankSize size;
    private final PreparedStatement earlier;
    private final PreparedStatement creditAccount;
    private final PreparedStatement creditTeller;
    private final PreparedStatement creditBranch;
    private final PreparedStatement addHistory;
    private volatile BankCounts counts = new BankCounts(0, 0, 0, 0);
    /** The database has ended the transaction that there should be. */
    private boolean withoutTransaction;
    /** The transaction has what is neither committed nor rolled back. */
    private boolean isUnsettled;
    private long made;
    private long repeated;
    private long refused;

    /** On a connection that does not commit by itself, owned by the ledger from now on. */
    Ledger(Connection connection, BankSize size) throws SQLException {
        this.connection = connection;
        this.size = size;
        earlier = connection.prepareStatement(
                "SELECT aid, tid, bid, delta, abalance FROM history WHERE request = ?");
        // A sum beyond 64 bits would be a floating-point number.
        creditAccount = connection.prepareStatement("UPDATE accounts SET abalance = abalance + ?1 WHERE aid = ?2"
                + " AND typeof(abalance + ?1) = 'integer' RETURNING abalance");
        creditTeller = connection.prepareStatement("UPDATE tellers SET tbalance = tbalance + ?1 WHERE tid = ?2"
                + " AND typeof(tbalance + ?1) = 'integer' RETURNING tbalance");
        creditBranch = connection.prepareStatement("UPDATE branches SET bbalance = bbalance + ?1 WHERE bid = ?2"
                + " AND typeof(bbalance + ?1) = 'integer' RETURNING bbalance");
        addHistory = connection.prepareStatement(
                "INSERT INTO history (aid, tid, bid, delta, mtime, request, abalance) VALUES (?, ?, ?, ?, ?, ?, ?)");
    }

    /**
     * Posts all in one transaction. When it returns each deposit is made and durable, or refused, or has failed. It
     * throws only an {@code Error}; then the outcome of all of them is unknown, whatever they say.
     */
    void post(List<List<Deposit>> group) {
        made = 0;
        repeated = 0;
        refused = 0;
        if (isUnsettled) {
            rollBack();
        }
        isUnsettled = true;
        try {
            if (withoutTransaction) {
                begin();
            }
            for (List<Deposit> deposits : group) {
                for (Deposit deposit : deposits) {
                    post(deposit);
                }
            }
            connection.commit();
            isUnsettled = false;
            counts = new BankCounts(counts.deposits() + made, counts.repeats() + repeated,
                    counts.refusals() + refused, counts.commits() + (made > 0 ? 1 : 0));
        } catch (SQLException | RuntimeException e) {
            rollBack();
            group.forEach(deposits -> deposits.forEach(
                    deposit -> deposit.fail("the bank's database failed: " + FileProblem.describe(e))));
            LOG.error("deposits failed, error replies were sent: {}", FileProblem.describe(e));
        } finally {
            // After an error, such as a lack of memory: the next group would commit what there is of this one.
            if (isUnsettled) {
                rollBack();
            }
        }
    }

    /**
     * A failure, such as a full disk, can have ended the transaction (SQLite's "Response To Errors Within A
     * Transaction"). Then there is none to be rolled back, and the driver begins no other: without it each statement
     * would be committed by itself.
     */
    private void rollBack() {
        try {
            connection.rollback();
            withoutTransaction = false;
        } catch (SQLException e) {
            withoutTransaction = true;
            LOG.debug("rollback", e);
        }
        isUnsettled = false;
    }

    private void begin() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
        }
        withoutTransaction = false;
    }

    private void post(Deposit deposit) throws SQLException {
        String refusal = check(deposit);
        if (refusal != null) {
            refused++;
            deposit.refuse(refusal);
        } else if (deposit.requestId() == null || !isRepeated(deposit)) {
            enter(deposit);
        }
    }

    /** Numbers tell by themselves what belongs to which branch. */
    private String check(Deposit deposit) {
        if (deposit.branch() < 0 || deposit.branch() >= size.branches()) {
            return "there is no branch " + deposit.branch();
        }
        if (deposit.teller() < 0 || deposit.teller() >= size.tellers()) {
            return "there is no teller " + deposit.teller();
        }
        if (deposit.account() < 0 || deposit.account() >= size.accounts()) {
            return "there is no account " + deposit.account();
        }
        if (deposit.teller() / size.tellersPerBranch() != deposit.branch()) {
            return "teller " + deposit.teller() + " is not of branch " + deposit.branch();
        }
        if (deposit.account() / size.accountsPerBranch() != deposit.branch()) {
            return "account " + deposit.account() + " is not of branch " + deposit.branch();
        }
        if (deposit.amount() < -Deposit.LARGEST_AMOUNT || deposit.amount() > Deposit.LARGEST_AMOUNT) {
            return "the amount " + deposit.amount() + " is beyond " + Deposit.LARGEST_AMOUNT;
        }
        return null;
    }

    private boolean isRepeated(Deposit deposit) throws SQLException {
        earlier.setString(1, deposit.requestId());
        try (ResultSet found = earlier.executeQuery()) {
            if (!found.next()) {
                return false;
            }
            if (found.getLong(1) == deposit.account() && found.getLong(2) == deposit.teller()
                    && found.getLong(3) == deposit.branch() && found.getLong(4) == deposit.amount()) {
                repeated++;
                deposit.made(found.getLong(5));
            } else {
                refused++;
                deposit.refuse("request " + deposit.requestId() + " was another deposit");
            }
            return true;
        }
    }

    private void enter(Deposit deposit) throws SQLException {
        long amount = deposit.amount();
        OptionalLong balance = credit(creditAccount, amount, deposit.account());
        if (balance.isEmpty()) {
            refuseBeyondRange(deposit);
        } else if (credit(creditTeller, amount, deposit.teller()).isEmpty()) {
            credit(creditAccount, -amount, deposit.account());
            refuseBeyondRange(deposit);
        } else if (credit(creditBranch, amount, deposit.branch()).isEmpty()) {
            credit(creditAccount, -amount, deposit.account());
            credit(creditTeller, -amount, deposit.teller());
            refuseBeyondRange(deposit);
        } else {
            addHistory(deposit, balance.getAsLong());
            made++;
            deposit.made(balance.getAsLong());
        }
    }

    private void refuseBeyondRange(Deposit deposit) {
        refused++;
        deposit.refuse("a balance would be beyond 64 bits");
    }

    private void addHistory(Deposit deposit, long balance) throws SQLException {
        addHistory.setLong(1, deposit.account());
        addHistory.setLong(2, deposit.teller());
        addHistory.setLong(3, deposit.branch());
        addHistory.setLong(4, deposit.amount());
        addHistory.setLong(5, System.currentTimeMillis());
        addHistory.setString(6, deposit.requestId());
        addHistory.setLong(7, balance);
        addHistory.executeUpdate();
    }

    /** {@return the new balance; none if it would be beyond 64 bits, and nothing has changed} */
    private static OptionalLong credit(PreparedStatement statement, long amount, long number) throws SQLException {
        statement.setLong(1, amount);
        statement.setLong(2, number);
        try (ResultSet updated = statement.executeQuery()) {
            return updated.next() ? OptionalLong.of(updated.getLong(1)) : OptionalLong.empty();
        }
    }

    BankCounts counts() {
        return counts;
    }

    /** Closes the connection and with it the statements. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
