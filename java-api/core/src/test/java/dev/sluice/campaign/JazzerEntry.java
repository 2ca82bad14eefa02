package dev.sluice.campaign;

/** What Jazzer calls, by the names that it looks for; the target is named by the first argument. */
public final class JazzerEntry {

    private static FuzzTarget target;

    private JazzerEntry() {
    }

    /** Called once. */
    public static void fuzzerInitialize(String[] arguments) throws ReflectiveOperationException {
        target = Fuzzing.target(Class.forName(arguments[0]).asSubclass(FuzzTarget.class));
    }

    /** Called for each input; what it throws is a finding. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        target.check(input);
    }
}
