package dev.sluice.campaign.faults;

import java.util.List;

/**
 * A injected of one certain call.
 *
 * @param call   the function, as {@link FaultyCalls} names it
 * @param number which of its calls, from 1
 * @param lasts  whether those after it fail, too, until the scenario has seen enough of it
 * @param injected what happens to the call
 */
record Fault(String call, int number, boolean lasts, InjectedError injected) {

    /** {@return what {@link #toString()} made} */
    static Fault parse(String text) {
        String[] parts = text.split(":");
        String call = parts[0];
        boolean lasts = parts[1].endsWith("+");
        List<InjectedError> known = InjectedErrors.of(call);
        InjectedError injected = known.stream().filter(each -> each.toString().equals(parts[2])).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text + ", " + call + " has " + known));
        return new Fault(call, Integer.parseInt(parts[1].replace("+", "")), lasts, injected);
    }

    boolean strikes(String called, int count) {
        return call.equals(called) && (lasts ? count >= number : count == number);
    }

    /** {@return for example {@code recv:3:EINTR}, or {@code accept4:1+:EMFILE} if it lasts} */
    @Override
    public String toString() {
        return call + ":" + number + (lasts ? "+" : "") + ":" + injected;
    }
}
