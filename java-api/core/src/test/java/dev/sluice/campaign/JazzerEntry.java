package dev.sluice.campaign;

/**
 * The entry points that Jazzer calls, with the names that it requires. The first argument is the name of the target.
 */
public final class JazzerEntry {

    private static FuzzTarget target;

    private JazzerEntry() {
    }

    /** Called once. */
    public static void fuzzerInitialize(String[] arguments) throws ReflectiveOperationException {
        target = Fuzzing.target(Class.forName(arguments[0]).asSubclass(FuzzTarget.class));
    }

    /** Called for each input; an exception is a finding. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        target.check(input);
    }
}
