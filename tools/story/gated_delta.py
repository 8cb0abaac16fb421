# SPDX-License-Identifier: MIT
"""The gated delta rule in chunks, in plain PyTorch.

    S_t = exp(g_t) (I - beta_t k_t k_t^T) S_{t-1} + beta_t k_t v_t^T,    o_t = S_t^T q_t / sqrt(K)

Inside a chunk its tokens' writes are found from one triangular system; between chunks the state goes by
S' = M S + B, and only this runs one after the other.

Products are in float32, whose factors may have 11 bits (TF32): errors of 1e-3 or 2e-3. `quick` multiplies in bfloat16 all but the
triangular inverse and the states, and keeps what it multiplies in half the memory: errors of what bfloat16 inputs have anyway.
"""
import torch

CHUNK = 64           # tokens
FORGET = 15.0        # a decay of exp(-15) leaves nothing of the state, and ratios of a chunk with several of them stay finite


def unit_lower_inverse(a):
    """(I + a)^-1 for strictly lower triangular a [..., C, C]: blocks of four by powers, then pairs of blocks."""
    *batch, size, _ = a.shape
    eye = torch.eye(4, dtype=a.dtype, device=a.device)
    blocks = a.reshape(*batch, size // 4, 4, size // 4, 4)
    x = -blocks.diagonal(dim1=-4, dim2=-2).movedim(-1, -3)            # [..., C/4, 4, 4]
    x2 = (x.unsqueeze(-1) * x.unsqueeze(-3)).sum(-2)
    y = eye + x
    inverse = y + (y.unsqueeze(-1) * x2.unsqueeze(-3)).sum(-2)
    width = 4
    while width < size:
        count = size // (2 * width)
        pairs = a.reshape(*batch, count, 2 * width, count, 2 * width)
        below = pairs.diagonal(dim1=-4, dim2=-2).movedim(-1, -3)[..., width:, :width]
        first, second = inverse[..., 0::2, :, :], inverse[..., 1::2, :, :]
        corner = -(second @ below @ first)
        top = torch.cat([first, torch.zeros_like(first)], -1)
        inverse = torch.cat([top, torch.cat([corner, second], -1)], -2)
        width *= 2
    return inverse.squeeze(-3)


class Inverse(torch.autograd.Function):
    """(I + a)^-1. Its gradient is two products, where one through all blocks would be dozens."""

    @staticmethod
    def forward(ctx, a):
        inverse = unit_lower_inverse(a)
        ctx.save_for_backward(inverse)
        return inverse

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0].mT.to(factors())
        return -(x @ grad.to(factors()) @ x).float()


quick = False


def factors():
    """What is multiplied by a matrix has this type."""
    return torch.bfloat16 if quick else torch.float32


class Scan(torch.autograd.Function):
    """States before each chunk: S_0 = 0, S_{n+1} = M_n S_n + B_n. m [N, X, K, K], b [N, X, K, V]."""

    @staticmethod
    def forward(ctx, m, b):
        states = torch.zeros_like(b)
        for n in range(len(m) - 1):
            torch.baddbmm(b[n], m[n], states[n], out=states[n + 1])
        ctx.save_for_backward(m, states)
        return states

    @staticmethod
    def backward(ctx, grad):
        m, states = ctx.saved_tensors
        into = torch.zeros_like(grad)                                 # what reaches B_n: the gradient of S_{n+1}
        for n in range(len(m) - 2, -1, -1):
            into[n] = grad[n + 1] if n == len(m) - 2 else torch.baddbmm(grad[n + 1], m[n + 1].mT, into[n + 1])
        return into @ states.mT, into


def before_scan(q, k, v, g, beta):
    """[B, T, H, K] and [B, T, H] -> what the scan and the outputs need, chunk first: [N, B H, C, .]."""
    batch, length, heads, _ = q.shape

    def chunked(x):
        x = x.float().reshape(batch, length // CHUNK, CHUNK, heads, -1)
        return x.permute(1, 0, 3, 2, 4).reshape(length // CHUNK, batch * heads, CHUNK, -1)
    q, k, v, g, beta = map(chunked, (q, k, v, g, beta))
    q = q * torch.rsqrt((q * q).sum(-1, keepdim=True) + 1e-6) * q.shape[-1] ** -0.5
    k = k * torch.rsqrt((k * k).sum(-1, keepdim=True) + 1e-6)
    decay = g.cumsum(-2)                                              # [N, X, C, 1]
    # exp of differences is never above one where it is used; the mask keeps the rest from overflowing.
    lower = torch.ones(CHUNK, CHUNK, dtype=torch.bool, device=q.device).tril()
    ratio = torch.exp((decay - decay.mT).masked_fill(~lower, -1e9))
    low = factors()
    k_ = k.to(low)
    inverse = Inverse.apply((beta * (k_ @ k_.mT).float() * ratio).tril(-1)).to(low)
    w = inverse @ (beta * decay.exp() * k).to(low)
    u = inverse @ (beta * v).to(low)
    last = decay[:, :, -1:, :]
    kept = (k * (last - decay).exp()).to(low).mT
    eye = torch.eye(k.shape[-1], device=q.device)
    m = last.exp() * eye - (kept @ w).float()
    return (q * decay.exp()).to(low), ((q.to(low) @ k_.mT).float() * ratio).to(low), w, u, m, (kept @ u).float()


def after_scan(q, scores, w, u, states, batch, heads):
    states = states.to(q.dtype)
    out = q @ states + scores @ (u - w @ states)                      # [N, B H, C, V]
    n, _, c, d = out.shape
    return out.reshape(n, batch, heads, c, d).permute(1, 0, 3, 2, 4).reshape(batch, n * c, heads, d)


compiled = {"before": before_scan, "after": after_scan}


def gated_delta(q, k, v, g, beta):
    """q, k, v [B, T, H, K], g and beta [B, T, H]; T a multiple of CHUNK. -> [B, T, H, K]."""
    with torch.autocast(q.device.type, enabled=False):
        q_, scores, w, u, m, b = compiled["before"](q, k, v, g, beta)
        states = Scan.apply(m, b)
        return compiled["after"](q_, scores, w, u, states, q.shape[0], q.shape[2])


def by_definition(q, k, v, g, beta):
    """One token after the other; what the above is held against."""
    q, k, v, g, beta = (x.double() for x in (q, k, v, g, beta))
    q = q / (q.pow(2).sum(-1, keepdim=True) + 1e-6).sqrt() * q.shape[-1] ** -0.5
    k = k / (k.pow(2).sum(-1, keepdim=True) + 1e-6).sqrt()
    state = torch.zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3], dtype=torch.float64, device=q.device)
    out = []
    for t in range(q.shape[1]):
        state = state * g[:, t, :, None, None].exp()
        seen = torch.einsum("bhk,bhkv->bhv", k[:, t], state)
        state = state + torch.einsum("bhk,bhv->bhkv", k[:, t], beta[:, t, :, None] * (v[:, t] - seen))
        out.append(torch.einsum("bhk,bhkv->bhv", q[:, t], state))
    return torch.stack(out, 1)


def check(device="cpu", size=64, most=2e-4, dtype=torch.float32):
    """Relative errors of outputs and gradients against the definition, for heads of size x size: asserts that they are rounding."""
    torch.manual_seed(0)
    shape = (2, 3 * CHUNK, 3, size)
    q, k, v, weight = (torch.randn(shape, device=device) for _ in range(4))
    k = k + 1.5 * torch.randn(2, 1, 3, size, device=device)             # keys that are alike are the hard case
    q, k, v = (x.to(dtype) for x in (q, k, v))                        # rounded for both
    g, beta = -torch.rand(shape[:3], device=device) * 0.3, torch.rand(shape[:3], device=device) * 0.98
    g[:, 70], g[:, 101] = -FORGET, -FORGET                            # texts that begin inside a row
    grads = []
    for f in (gated_delta, by_definition):
        given = [x.clone().requires_grad_() for x in (q, k, v, g, beta)]
        out = f(*given)
        (out * weight).sum().backward()
        grads.append([out.detach()] + [x.grad for x in given])
    errors = [((a.double() - b.double()).norm() / b.double().norm()).item() for a, b in zip(*grads)]
    assert max(errors) < most, errors
    return errors


if __name__ == "__main__":
    print("relative errors of output and gradients (q, k, v, g, beta):", [f"{e:.1e}" for e in check()])
