package dev.sluice.samples.oltp.bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables: how they are made, and how large they were made. */
final class Schema {

    private static final int VERSION = 1;

    // STRICT, because a sum beyond 64 bits would silently become a floating-point number otherwise.
    private static final List<String> TABLES = List.of(
            "CREATE TABLE branches (bid INTEGER PRIMARY KEY, bbalance INTEGER NOT NULL) STRICT",
            "CREATE TABLE tellers (tid INTEGER PRIMARY KEY, bid INTEGER NOT NULL, tbalance INTEGER NOT NULL) STRICT",
            "CREATE TABLE accounts (aid INTEGER PRIMARY KEY, bid INTEGER NOT NULL, abalance INTEGER NOT NULL) STRICT",
            "CREATE TABLE history (hid INTEGER PRIMARY KEY, aid INTEGER NOT NULL, tid INTEGER NOT NULL,"
                    + " bid INTEGER NOT NULL, delta INTEGER NOT NULL, mtime INTEGER NOT NULL,"
                    + " request TEXT UNIQUE, abalance INTEGER NOT NULL) STRICT");

    private Schema() {
    }

    /** {@return whether there are tables already} */
    static boolean exists(Connection connection) throws SQLException {
        long version = number(connection, "PRAGMA user_version");
        if (version != 0 && version != VERSION) {
            throw new SQLException("it has version " + version + " of the tables, not " + VERSION);
        }
        return version == VERSION;
    }

    /** Makes and fills the tables, all or nothing. */
    static void create(Connection connection, BankSize size) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.executeUpdate(table);
            }
            fill(connection, "INSERT INTO branches SELECT i, 0 FROM n", size.branches(), null);
            fill(connection, "INSERT INTO tellers SELECT i, i / ?, 0 FROM n", size.tellers(), size.tellersPerBranch());
            fill(connection, "INSERT INTO accounts SELECT i, i / ?, 0 FROM n", size.accounts(),
                    size.accountsPerBranch());
            statement.executeUpdate("PRAGMA user_version = " + VERSION);
        }
        connection.commit();
    }

    private static void fill(Connection connection, String insert, long rows, Integer perBranch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) " + insert)) {
            statement.setLong(1, rows);
            if (perBranch != null) {
                statement.setInt(2, perBranch);
            }
            statement.executeUpdate();
        }
    }

    static BankSize size(Connection connection) throws SQLException {
        long branches = number(connection, "SELECT max(bid) + 1 FROM branches");
        long tellers = number(connection, "SELECT max(tid) + 1 FROM tellers");
        long accounts = number(connection, "SELECT max(aid) + 1 FROM accounts");
        return new BankSize((int) branches, (int) (tellers / branches), (int) (accounts / branches));
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }
}
