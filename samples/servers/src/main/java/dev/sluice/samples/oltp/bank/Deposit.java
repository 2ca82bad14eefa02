package dev.sluice.samples.oltp.bank;

/**
 * A deposit to be made, and then its result. Can be used again; not thread-safe, but {@link Bank#deposit} returns it to
 * its caller.
 */
public final class Deposit {

    /** The result of a deposit. */
    public enum Outcome {
        /** It is on the disk, now or by an earlier request of the same identity. */
        MADE,
        /** The deposit is invalid. */
        REFUSED,
        /** The database has failed, and it is unknown whether the deposit has been made. */
        FAILED
    }

    /** The largest amount, in either direction: billions of these are needed for a balance to overflow. */
    public static final long LARGEST_AMOUNT = 1_000_000_000;

    private long account;
    private long teller;
    private long branch;
    private long amount;
    private String requestId;

    private Outcome outcome;
    private long balance;
    private String problem;

    /** Creates a deposit to be {@linkplain #set set}. */
    public Deposit() {
    }

    /**
     * Makes it another deposit.
     *
     * @param toAccount number of the account
     * @param atTeller  number of the teller, who must be of the branch
     * @param ofBranch  number of the branch, which must have the account
     * @param ofAmount  may be negative
     * @param id        what makes its repetition recognizable, or null if it will never be repeated
     * @return this
     */
    public Deposit set(long toAccount, long atTeller, long ofBranch, long ofAmount, String id) {
        account = toAccount;
        teller = atTeller;
        branch = ofBranch;
        amount = ofAmount;
        requestId = id;
        outcome = null;
        return this;
    }

    long account() {
        return account;
    }

    long teller() {
        return teller;
    }

    long branch() {
        return branch;
    }

    long amount() {
        return amount;
    }

    String requestId() {
        return requestId;
    }

    void made(long newBalance) {
        outcome = Outcome.MADE;
        balance = newBalance;
    }

    void refuse(String why) {
        outcome = Outcome.REFUSED;
        problem = why;
    }

    void fail(String why) {
        outcome = Outcome.FAILED;
        problem = why;
    }

    /** {@return the result} */
    public Outcome outcome() {
        return outcome;
    }

    /** {@return why it was not made, if it was not} */
    public String problem() {
        return problem;
    }

    /** {@return the balance of the account that this deposit left behind, if it was made} */
    public long balance() {
        return balance;
    }
}
