package dev.sluice.samples.oltp.bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads what is committed, without waiting for the one who writes. For one thread at a time. */
final class AccountReader implements AutoCloseable {

    // One statement sees one moment.
    private static final String TOTALS = """
            SELECT bid, bbalance, tellers, accounts, coalesce(amounts, 0), coalesce(deposits, 0)
            FROM branches
            JOIN (SELECT bid, sum(tbalance) AS tellers FROM tellers GROUP BY bid) USING (bid)
            JOIN (SELECT bid, sum(abalance) AS accounts FROM accounts GROUP BY bid) USING (bid)
            LEFT JOIN (SELECT bid, sum(delta) AS amounts, count(*) AS deposits FROM history GROUP BY bid) USING (bid)
            ORDER BY bid""";

    private final Connection connection;
    private final PreparedStatement balance;

    /** On a connection that commits by itself, owned by the reader from now on. */
    AccountReader(Connection connection) throws SQLException {
        this.connection = connection;
        balance = connection.prepareStatement("SELECT abalance FROM accounts WHERE aid = ?");
    }

    long balance(long account) throws SQLException {
        balance.setLong(1, account);
        try (ResultSet result = balance.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    List<BranchTotals> totals() throws SQLException {
        List<BranchTotals> totals = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(TOTALS);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                totals.add(new BranchTotals(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4),
                        row.getLong(5), row.getLong(6)));
            }
        }
        return totals;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
