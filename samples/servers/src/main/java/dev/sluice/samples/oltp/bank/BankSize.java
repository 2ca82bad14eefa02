package dev.sluice.samples.oltp.bank;

/**
 * How large a bank is. It never changes.
 *
 * @param branches          number of branches, at least 1
 * @param tellersPerBranch  number of tellers of each branch, at least 1
 * @param accountsPerBranch number of accounts of each branch, at least 1
 */
public record BankSize(int branches, int tellersPerBranch, int accountsPerBranch) {

    /** Checks the numbers. */
    public BankSize {
        if (branches < 1 || tellersPerBranch < 1 || accountsPerBranch < 1) {
            throw new IllegalArgumentException(branches + " branches of " + tellersPerBranch + " tellers and "
                    + accountsPerBranch + " accounts each: at least one of each is needed");
        }
    }

    /** {@return the number of tellers of all branches} */
    public long tellers() {
        return (long) branches * tellersPerBranch;
    }

    /** {@return the number of accounts of all branches} */
    public long accounts() {
        return (long) branches * accountsPerBranch;
    }

    @Override
    public String toString() {
        return branches + " branches of " + tellersPerBranch + " tellers and " + accountsPerBranch + " accounts each";
    }
}
