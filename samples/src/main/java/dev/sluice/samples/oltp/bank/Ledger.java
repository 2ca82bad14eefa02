package dev.sluice.samples.oltp.bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
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
    private long made;
    private long repeated;
    private long refused;

    /** On a connection that does not commit by itself, owned by the ledger from now on. */
    Ledger(Connection connection, BankSize size) throws SQLException {
        this.connection = connection;
        this.size = size;
        earlier = connection.prepareStatement(
                "SELECT aid, tid, bid, delta, abalance FROM history WHERE request = ?");
        creditAccount = connection.prepareStatement(
                "UPDATE accounts SET abalance = abalance + ? WHERE aid = ? RETURNING abalance");
        creditTeller = connection.prepareStatement("UPDATE tellers SET tbalance = tbalance + ? WHERE tid = ?");
        creditBranch = connection.prepareStatement("UPDATE branches SET bbalance = bbalance + ? WHERE bid = ?");
        addHistory = connection.prepareStatement(
                "INSERT INTO history (aid, tid, bid, delta, mtime, request, abalance) VALUES (?, ?, ?, ?, ?, ?, ?)");
    }

    /** Posts all in one transaction. When it returns each deposit is made and durable, or refused. */
    void post(List<List<Deposit>> group) {
        made = 0;
        repeated = 0;
        refused = 0;
        try {
            for (List<Deposit> deposits : group) {
                for (Deposit deposit : deposits) {
                    post(deposit);
                }
            }
            connection.commit();
            counts = new BankCounts(counts.deposits() + made, counts.repeats() + repeated,
                    counts.refusals() + refused, counts.commits() + (made > 0 ? 1 : 0));
        } catch (SQLException | RuntimeException e) {
            LOG.error("deposits failed, as their clients are told: {}", e.getMessage());
            rollBack();
            group.forEach(deposits -> deposits.forEach(
                    deposit -> deposit.fail("the bank's database failed: " + e.getMessage())));
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            LOG.error("rollback: {}", e.getMessage());
        }
    }

    private void post(Deposit deposit) throws SQLException {
        String refusal = check(deposit);
        if (refusal != null) {
            refused++;
            deposit.refuse(refusal);
        } else if (deposit.requestId() == null || !isRepeated(deposit)) {
            made++;
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
        long balance;
        creditAccount.setLong(1, deposit.amount());
        creditAccount.setLong(2, deposit.account());
        try (ResultSet updated = creditAccount.executeQuery()) {
            updated.next();
            balance = updated.getLong(1);
        }
        credit(creditTeller, deposit.amount(), deposit.teller());
        credit(creditBranch, deposit.amount(), deposit.branch());
        addHistory.setLong(1, deposit.account());
        addHistory.setLong(2, deposit.teller());
        addHistory.setLong(3, deposit.branch());
        addHistory.setLong(4, deposit.amount());
        addHistory.setLong(5, System.currentTimeMillis());
        addHistory.setString(6, deposit.requestId());
        addHistory.setLong(7, balance);
        addHistory.executeUpdate();
        deposit.made(balance);
    }

    private static void credit(PreparedStatement statement, long amount, long number) throws SQLException {
        statement.setLong(1, amount);
        statement.setLong(2, number);
        if (statement.executeUpdate() != 1) {
            throw new SQLException("the row " + number + " is missing");
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
