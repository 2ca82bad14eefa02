package dev.sluice.campaign;

import dev.sluice.testing.Depth;
import java.security.SecureRandom;
import java.util.Random;

/** How long the campaigns of this run are, and where their randomness comes from. */
public final class Campaign {

    /** The JUnit tag of every campaign. */
    public static final String TAG = "campaign";

    private static final String SEED = "sluice.campaign.seed";

    private final String name;
    private final long seed;

    private Campaign(String name, long seed) {
        this.name = name;
        this.seed = seed;
    }

    /**
     * Begins a campaign, and prints what makes it run the same way again. The normal build always tries the same, so
     * that it is red for the change that broke something, and not for the next one; new ground is for the long form.
     *
     * @param name of the campaign
     * @return with the seed of {@code -Dsluice.campaign.seed}, or else in the long form one that is new each time
     */
    public static Campaign begin(String name) {
        Long given = Long.getLong(SEED);
        long seed = given != null ? given : isLong() ? new SecureRandom().nextLong() : name.hashCode();
        Campaign campaign = new Campaign(name, seed);
        System.out.println(campaign);
        return campaign;
    }

    /** {@return whether the profile {@code campaign} runs} */
    public static boolean isLong() {
        return Depth.current() == Depth.CAMPAIGN;
    }

    /**
     * Chooses by the length of the campaigns.
     *
     * @param inShort the number of runs in the normal build
     * @param inLong  the number of runs in the profile {@code campaign}
     * @return one of them
     */
    public static int count(int inShort, int inLong) {
        return isLong() ? inLong : inShort;
    }

    /** {@return the seed} */
    public long seed() {
        return seed;
    }

    /**
     * {@return randomness for one of several runs, which can be made again without those before it}
     *
     * @param run the number of the run
     */
    public Random random(long run) {
        return new Random(seed * 31 + run);
    }

    /** {@return what to write into every failure: the name, and the option that repeats it} */
    @Override
    public String toString() {
        return name + ": repeat with -D" + SEED + "=" + seed + (isLong() ? " -Pcampaign" : "");
    }
}
