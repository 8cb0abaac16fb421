# SPDX-License-Identifier: MIT
"""Layers of Qwen3.5's text models: the gated delta net, softmax attention, and the feed-forward of both."""
import math

import torch
import torch.nn.functional as F
from gated_delta import FORGET, gated_delta
from torch import nn

ROTATED, THETA = 16, 10000.0         # dimensions of a head of attention that are turned, and the base of their angles


class Norm(nn.Module):
    """RMS norm, its weight kept less one."""

    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.zeros(size)), eps

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * (1 + self.weight)).to(x.dtype)


class GatedNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x, z):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * self.weight * F.silu(z.float())).to(z.dtype)


def linear(inputs, outputs):
    return nn.Linear(inputs, outputs, bias=False)


def four_bits(w):
    """What Q4_0 keeps of w [rows, columns], as ggml's quantiser rounds it: for each 32 columns 16 levels, of which the lowest or highest is the largest value."""
    blocks = w.reshape(w.shape[0], -1, 32)
    scale = blocks.gather(-1, blocks.abs().argmax(-1, keepdim=True)) / -8
    codes = (blocks * torch.where(scale == 0, 0.0, 1 / scale) + 8.5).clamp(0, 15).floor()
    return ((codes - 8) * scale.half().float()).reshape(w.shape)


class Matrix(nn.Linear):
    """A linear map whose weights are `rounded` of the way to what Q4_0 keeps of them (0: as they are). Gradients pass through the rounding."""

    def __init__(self, inputs, outputs):
        super().__init__(inputs, outputs, bias=False)
        self.register_buffer("rounded", torch.zeros(()), persistent=False)

    def stored(self):
        return self.weight + self.rounded * (four_bits(self.weight) - self.weight).detach()

    def forward(self, x):
        return F.linear(x, self.stored().to(x.dtype))


class DeltaNet(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.s, self.width = s, s.heads * s.head_dim
        self.in_proj_qkv, self.in_proj_z = Matrix(s.hidden, 3 * self.width), Matrix(s.hidden, self.width)
        self.in_proj_b, self.in_proj_a = linear(s.hidden, s.heads), linear(s.hidden, s.heads)
        self.conv1d = nn.Conv1d(3 * self.width, 3 * self.width, s.conv, groups=3 * self.width, bias=False)
        step = torch.exp(torch.rand(s.heads) * (math.log(0.1) - math.log(0.001)) + math.log(0.001)).clamp(min=1e-4)
        self.dt_bias = nn.Parameter(step + torch.log(-torch.expm1(-step)))
        self.A_log = nn.Parameter(torch.log(torch.empty(s.heads).uniform_(1, 16)))
        self.norm = GatedNorm(s.head_dim, s.eps)
        self.out_proj = Matrix(self.width, s.hidden)

    def before(self, x):
        s, (batch, length, _) = self.s, x.shape
        weight = torch.cat([self.in_proj_qkv.stored(), self.in_proj_z.stored(), self.in_proj_b.weight, self.in_proj_a.weight])
        u, z, b, a = F.linear(x, weight.to(x.dtype)).split([3 * self.width, self.width, s.heads, s.heads], -1)
        taps = self.conv1d.weight.squeeze(1).to(x.dtype)
        padded = F.pad(u, (0, 0, s.conv - 1, 0))
        u = F.silu(sum(padded[:, j:j + length] * taps[:, j] for j in range(s.conv)))
        q, k, v = (y.reshape(batch, length, s.heads, s.head_dim) for y in u.chunk(3, -1))
        g = -self.A_log.float().exp() * F.softplus(a.float() + self.dt_bias)
        return q, k, v, g, b.float().sigmoid(), z.reshape(batch, length, s.heads, s.head_dim)

    def after(self, out, z):
        return self.out_proj(self.norm(out, z).flatten(-2))


class FeedForward(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.gate_proj, self.up_proj, self.down_proj = Matrix(s.hidden, s.ffn), Matrix(s.hidden, s.ffn), Matrix(s.ffn, s.hidden)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """A mixer of tokens, which has a name of its own in checkpoints, and a feed-forward, each behind a norm."""

    def __init__(self, s, name, mixer):
        super().__init__()
        self.add_module(name, mixer)
        self.mlp = FeedForward(s)
        self.input_layernorm, self.post_attention_layernorm = Norm(s.hidden, s.eps), Norm(s.hidden, s.eps)

    def mixed(self, x, by_mixer):
        x = x + by_mixer
        return x + self.mlp(self.post_attention_layernorm(x))


class DeltaLayer(Layer):
    def __init__(self, s):
        super().__init__(s, "linear_attn", DeltaNet(s))

    def first(self, x, begins):
        q, k, v, g, beta, z = self.linear_attn.before(self.input_layernorm(x))
        return q, k, v, g.masked_fill(begins.unsqueeze(-1), -FORGET), beta, z

    def second(self, x, out, z):
        return self.mixed(x, self.linear_attn.after(out, z))

    def forward(self, x, begins):
        q, k, v, g, beta, z = self.first(x, begins)
        return self.second(x, gated_delta(q, k, v, g, beta), z)


def rotated(x):
    """[B, T, H, D]: the first ROTATED dimensions turned by their position, halves paired."""
    half = ROTATED // 2
    angle = torch.arange(x.shape[1], device=x.device).float()[:, None] * THETA ** (-torch.arange(half, device=x.device).float() / half)
    cos, sin = angle.cos()[:, None].to(x.dtype), angle.sin()[:, None].to(x.dtype)
    a, b = x[..., :half], x[..., half:ROTATED]
    return torch.cat([a * cos - b * sin, b * cos + a * sin, x[..., ROTATED:]], -1)


class Attention(nn.Module):
    """Queries of several heads, each with its gate behind it, to the keys and values of one."""

    def __init__(self, s):
        super().__init__()
        self.s = s
        self.q_proj, self.o_proj = linear(s.hidden, 2 * s.heads * s.head_dim), linear(s.heads * s.head_dim, s.hidden)
        self.k_proj, self.v_proj = linear(s.hidden, s.head_dim), linear(s.hidden, s.head_dim)
        self.q_norm, self.k_norm = Norm(s.head_dim, s.eps), Norm(s.head_dim, s.eps)

    def forward(self, x, begins):
        s, (batch, length, _) = self.s, x.shape
        q, gate = self.q_proj(x).reshape(batch, length, s.heads, 2 * s.head_dim).chunk(2, -1)
        q = rotated(self.q_norm(q)).transpose(1, 2)                    # [B, H, T, D]
        k = rotated(self.k_norm(self.k_proj(x)).unsqueeze(2)).transpose(1, 2)
        text = begins.cumsum(-1)
        seen = (text[:, :, None] == text[:, None, :]).tril().unsqueeze(1)
        scores = (q @ k.mT).float() * s.head_dim ** -0.5
        out = scores.masked_fill(~seen, float("-inf")).softmax(-1).to(x.dtype) @ self.v_proj(x).unsqueeze(1)
        return self.o_proj((out.transpose(1, 2) * gate.sigmoid()).flatten(-2))


class AttentionLayer(Layer):
    def __init__(self, s):
        super().__init__(s, "self_attn", Attention(s))

    def forward(self, x, begins):
        return self.mixed(x, self.self_attn(self.input_layernorm(x), begins))
