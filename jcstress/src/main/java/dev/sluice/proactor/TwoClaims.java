package dev.sluice.proactor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two initiators want the same initiation: one gets it. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second")
@State
public class TwoClaims {

    private static final SingleMethodCompletionAdapter NOBODY = new SingleMethodCompletionAdapter(completion -> { });

    private final Initiation initiation = CountedOperations.initiation();

    @Actor
    public void first(ZZ_Result result) {
        result.r1 = initiation.claim(NOBODY, null);
    }

    @Actor
    public void second(ZZ_Result result) {
        result.r2 = initiation.claim(NOBODY, null);
    }
}
